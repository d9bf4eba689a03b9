use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::GILOnceCell;
use pyo3::types::{PyDict, PyList, PyString};

static NAMES: GILOnceCell<PyObject> = GILOnceCell::new();

#[pyclass]
#[derive(Clone)]
pub struct Order {
    pub amount: u32,
}

pub struct Even(pub u32);

impl<'py> FromPyObject<'py> for Even {
    fn extract_bound(any: &Bound<'py, PyAny>) -> PyResult<Self> {
        let number: u32 = any.extract()?;
        if number % 2 == 0 { Ok(Self(number)) } else { Err(PyTypeError::new_err("odd")) }
    }
}

#[pyfunction]
pub fn total(py: Python<'_>, orders: Vec<Order>) -> u32 {
    py.allow_threads(|| orders.iter().map(|order| order.amount).sum())
}

pub fn start() {
    pyo3::prepare_freethreaded_python();
}

pub fn numbers() -> PyResult<Vec<PyObject>> {
    Python::with_gil(|py| {
        let list = PyList::new_bound(py, [1, 2, 3]);
        let any: &Bound<'_, PyAny> = list.as_any();
        let again = any.downcast::<PyList>()?;
        let dict = PyDict::new_bound(py);
        dict.set_item("text", PyString::new_bound(py, "x"))?;
        NAMES.get_or_init(py, || dict.into_py(py));
        Ok(again.iter().map(|item| item.to_object(py)).collect())
    })
}

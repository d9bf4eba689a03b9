use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};

static NAMES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

#[pyclass(from_py_object)]
#[derive(Clone)]
pub struct Order {
    pub amount: u32,
}

pub struct Even(pub u32);

impl<'a, 'py> FromPyObject<'a, 'py> for Even {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let number: u32 = any.extract()?;
        if number % 2 == 0 { Ok(Self(number)) } else { Err(PyTypeError::new_err("odd")) }
    }
}

#[pyfunction]
pub fn total(py: Python<'_>, orders: Vec<Order>) -> u32 {
    py.detach(|| orders.iter().map(|order| order.amount).sum())
}

pub fn start() {
    Python::initialize();
}

pub fn numbers() -> PyResult<Vec<Py<PyAny>>> {
    Python::attach(|py| {
        let list = PyList::new(py, [1, 2, 3])?;
        let any: &Bound<'_, PyAny> = list.as_any();
        let again = any.cast::<PyList>()?;
        let dict = PyDict::new(py);
        dict.set_item("text", PyString::new(py, "x"))?;
        NAMES.get_or_init(py, || dict.into_any().unbind());
        Ok(again.iter().map(|item| item.unbind()).collect())
    })
}

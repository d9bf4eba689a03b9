use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

fn resource() -> Resource {
    Resource::builder().with_service_name("shop").with_attribute(KeyValue::new("region", "eu")).build()
}

pub fn traces() -> Result<SdkTracerProvider, Failure> {
    let exporter = SpanExporter::builder().with_http().build()?;
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
    global::set_tracer_provider(provider.clone());
    Ok(provider)
}

pub fn metrics() -> Result<SdkMeterProvider, Failure> {
    let exporter = MetricExporter::builder().with_http().build()?;
    let reader = PeriodicReader::builder(exporter).build();
    Ok(SdkMeterProvider::builder().with_reader(reader).with_resource(resource()).build())
}

pub fn stop(provider: SdkTracerProvider) {
    if let Err(error) = provider.shutdown() {
        eprintln!("spans were lost: {error}");
    }
}

pub fn logs() -> SdkLoggerProvider {
    SdkLoggerProvider::builder().with_resource(Resource::builder().build()).build()
}

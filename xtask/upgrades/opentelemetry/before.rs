use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::logs::LoggerProvider;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::TracerProvider;
use opentelemetry_sdk::{Resource, runtime};

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

fn resource() -> Resource {
    Resource::new([KeyValue::new("service.name", "shop"), KeyValue::new("region", "eu")])
}

pub fn traces() -> Result<TracerProvider, Failure> {
    let exporter = SpanExporter::builder().with_http().build()?;
    let provider =
        TracerProvider::builder().with_batch_exporter(exporter, runtime::Tokio).with_resource(resource()).build();
    global::set_tracer_provider(provider.clone());
    Ok(provider)
}

pub fn metrics() -> Result<SdkMeterProvider, Failure> {
    let exporter = MetricExporter::builder().with_http().build()?;
    let reader = PeriodicReader::builder(exporter, runtime::Tokio).build();
    Ok(SdkMeterProvider::builder().with_reader(reader).with_resource(resource()).build())
}

pub fn stop(_provider: TracerProvider) {
    global::shutdown_tracer_provider();
}

pub fn logs() -> LoggerProvider {
    LoggerProvider::builder().with_resource(Resource::default()).build()
}

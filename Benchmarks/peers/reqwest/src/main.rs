// GETs by reqwest: reqwest-get URL COUNT INFLIGHT [--http2] [--cacert FILE]; prints one line of JSON, as the other programs.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() < 4 {
        return Err("Usage: reqwest-get URL COUNT INFLIGHT [--http2] [--cacert FILE]".into());
    }
    let (count, in_flight): (u64, u64) = (arguments[2].parse()?, arguments[3].parse()?);
    let client = client(&arguments[4..], in_flight as usize)?;
    run(&client, &arguments[1], (count / 10).max(in_flight).min(2000), in_flight).await?;
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let (bytes, errors) = run(&client, &arguments[1], count, in_flight).await?;
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    println!(
        "{{\"name\":\"reqwest\",\"requests\":{count},\"seconds\":{seconds},\"requests_per_second\":{},\
         \"cpu_microseconds_per_request\":{},\"bytes\":{bytes},\"peak_rss_kb\":{},\"errors\":{errors}}}",
        count as f64 / seconds,
        cpu * 1e6 / count as f64,
        peak_memory()
    );
    Ok(())
}

fn client(options: &[String], in_flight: usize) -> Result<reqwest::Client, Failure> {
    let mut builder = reqwest::Client::builder().pool_max_idle_per_host(in_flight);
    if !options.iter().any(|option| option == "--http2") {
        builder = builder.http1_only();
    }
    if let Some(position) = options.iter().position(|option| option == "--cacert") {
        let file = options.get(position + 1).ok_or("--cacert needs a file")?;
        builder = builder.add_root_certificate(reqwest::Certificate::from_pem(&std::fs::read(file)?)?);
    }
    Ok(builder.build()?)
}

async fn run(client: &reqwest::Client, url: &str, count: u64, in_flight: u64) -> Result<(u64, u64), Failure> {
    let started = Arc::new(AtomicU64::new(0));
    let workers: Vec<_> = (0..in_flight)
        .map(|_| {
            let (client, url, started) = (client.clone(), url.to_owned(), started.clone());
            tokio::spawn(async move {
                let (mut bytes, mut errors) = (0, 0);
                while started.fetch_add(1, Ordering::Relaxed) < count {
                    match get(&client, &url).await {
                        Ok(length) => bytes += length,
                        Err(_) => errors += 1,
                    }
                }
                (bytes, errors)
            })
        })
        .collect();
    let (mut bytes, mut errors) = (0, 0);
    for worker in workers {
        let outcome = worker.await?;
        bytes += outcome.0;
        errors += outcome.1;
    }
    Ok((bytes, errors))
}

async fn get(client: &reqwest::Client, url: &str) -> Result<u64, reqwest::Error> {
    let response = client.get(url).send().await?.error_for_status()?;
    Ok(response.bytes().await?.len() as u64)
}

fn cpu_seconds() -> f64 {
    // The kernel fills the whole structure.
    let usage = unsafe {
        let mut usage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime].iter().map(|time| time.tv_sec as f64 + time.tv_usec as f64 / 1e6).sum()
}

fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

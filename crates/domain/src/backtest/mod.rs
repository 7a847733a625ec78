//! Back-tests: what entities would mask in what is stored, before they are switched on.

mod request;
mod service;

pub use request::{BacktestRequest, InvalidBacktest};
pub use service::{Backtest, BacktestReport, EntityCount};

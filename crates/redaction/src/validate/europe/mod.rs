//! Validators of the national identifiers of continental Europe and Ireland.

pub(crate) mod alpine;
pub(crate) mod baltic;
pub(crate) mod eastern;
pub(crate) mod germany;
pub(crate) mod iberia;
pub(crate) mod italy;
pub(crate) mod nordic;
pub(crate) mod western;

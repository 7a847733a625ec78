//! Words of codes that are no secret: of discounts, places and failures.

/// Words that say what a code is, if it is no secret.
pub(crate) const OTHER_CODES: [&str; 23] = [
    "error",
    "promo",
    "promotional",
    "promotion",
    "discount",
    "voucher",
    "coupon",
    "offer",
    "post",
    "postal",
    "zip",
    "area",
    "sort",
    "country",
    "dialling",
    "dialing",
    "fault",
    "status",
    "descuento",
    "desconto",
    "sconto",
    "rabatt",
    "reduction",
];

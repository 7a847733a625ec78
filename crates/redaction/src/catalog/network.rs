//! Catalogue rows of networks, devices and coordinates.

use super::row::{CatalogRow, PERSONAL_DEFAULTS};

pub(super) const ROWS: &[CatalogRow] = &[
    CatalogRow {
        label: "IP_ADDRESS",
        name: "IP address",
        description: "IPv4 or IPv6 address, CIDR",
        detector: "IPv4 and IPv6 addresses, with or without a prefix length; IPv4 also spoken",
        examples: &[
            ("host 192.168.0.17", "host ***.***.*.**"),
            ("2001:db8::8a2e:370:7334", "****:***::****:***:****"),
            ("10.1.0.0/16", "**.*.*.*/**"),
            ("ten dot zero dot zero dot one", "*** *** **** *** **** *** ***"),
        ],
        counter_examples: &["version 1.2.3.4", "256.1.1.1", "12:34:56"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "MAC_ADDRESS",
        name: "MAC address",
        description: "Hardware (MAC) address",
        detector: "Six pairs of hexadecimal digits joined by the same separator",
        examples: &[
            ("00:1A:2B:3C:4D:5E", "**:**:**:**:**:**"),
            ("mac AA-BB-CC-DD-EE-0F", "mac **-**-**-**-**-**"),
            ("0012.3456.789a", "****.****.****"),
        ],
        counter_examples: &["00:1A:2B", "FF:FF:FF:FF:FF:FF", "aa bb cc"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "URL",
        name: "Web address",
        description: "Web address or link",
        detector: "A scheme, www, or a host with a known top-level domain, written or spoken",
        examples: &[
            ("see https://example.com/a?b=1", "see *****://*******.***/*?*=*"),
            ("example.org", "*******.***"),
            ("go to example dot com", "go to ******* *** ***"),
        ],
        counter_examples: &["e.g. this", "end.Then more", "dot the i"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "IMEI",
        name: "IMEI",
        description: "Mobile device identifier (IMEI, ICCID)",
        detector: "15 digits beside a phrase such as IMEI; SIM card numbers of 19 or 20 digits",
        examples: &[
            ("imei 490154203237518", "imei ***************"),
            ("IMEI: 35-209900-176148-1", "IMEI: **-******-******-*"),
            ("iccid 8914800000000000007", "iccid *******************"),
        ],
        counter_examples: &["490154203237", "imei please", "a sim card"],
        ..PERSONAL_DEFAULTS
    },
    CatalogRow {
        label: "GEO_COORDINATES",
        name: "Coordinates",
        description: "Latitude/longitude pair",
        detector: "A pair of decimal degrees within range",
        examples: &[
            ("37.7749, -122.4194", "**.****, -***.****"),
            ("at 51.5007,-0.1246", "at **.****,-*.****"),
            ("-33.8568, 151.2153", "-**.****, ***.****"),
        ],
        counter_examples: &["37.7, 2", "99.1234, 200.1234", "3.14159"],
        ..PERSONAL_DEFAULTS
    },
];

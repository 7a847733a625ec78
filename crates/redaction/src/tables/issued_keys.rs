//! Formats of the keys and tokens of providers that put a prefix on them. The prefix identifies a key without any cue.
//!
//! Source: the documentation of each provider about its credentials and, if there is one, its secret scanning
//! partnership (as of 2026). Lengths are the documented ones, with a margin if the provider reserves the right to
//! longer keys.

/// The characters that may follow a prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alphabet {
    /// Hexadecimal digits.
    Hex,
    /// Upper-case letters and digits.
    UpperAlnum,
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`: the URL-safe base 64 alphabet (RFC 4648, section 5).
    Base64Url,
    /// Letters, digits, `_`, `-` and `.`.
    Base64UrlDot,
    /// Letters, digits, `_`, `-`, `+` and `/`: both base 64 alphabets (RFC 4648) without the padding.
    Base64,
}

impl Alphabet {
    /// Whether a byte is in the alphabet.
    pub(crate) fn contains(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::UpperAlnum => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Base64Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Base64UrlDot => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/'),
        }
    }
}

/// The key format of a provider: a prefix and a number of characters of an alphabet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyFormat {
    pub(crate) prefix: &'static str,
    pub(crate) alphabet: Alphabet,
    /// Minimum characters after the prefix.
    pub(crate) min_length: usize,
    /// Maximum characters after the prefix.
    pub(crate) max_length: usize,
}

const fn key(prefix: &'static str, alphabet: Alphabet, min_length: usize, max_length: usize) -> KeyFormat {
    KeyFormat { prefix, alphabet, min_length, max_length }
}

use Alphabet::{Alnum, Base64, Base64Url, Base64UrlDot, Hex, UpperAlnum};

/// The key formats, sorted by prefix.
pub(crate) const ISSUED_KEYS: &[KeyFormat] = &[
    key("1//0", Base64Url, 40, 250),                  // Google, OAuth refresh token
    key("4b1d", Alnum, 38, 38),                       // ClickHouse Cloud
    key("A3T", UpperAlnum, 17, 17),                   // AWS, vendor-specific access key
    key("AAAAAAAAAAAAAAAAAAAAA", Base64Url, 40, 250), // X (Twitter), bearer token
    key("ABIA", UpperAlnum, 16, 16),                  // AWS, bearer token of a service
    key("ABSK", Base64, 60, 300),                     // Amazon Bedrock
    key("ACCA", UpperAlnum, 16, 16),                  // AWS, context-specific credential
    key("AGE-SECRET-KEY-1", UpperAlnum, 58, 58),      // age
    key("AIza", Base64Url, 35, 35),                   // Google Cloud
    key("AKCp", Alnum, 60, 80),                       // Artifactory
    key("AKIA", UpperAlnum, 16, 16),                  // AWS, access key
    key("AKID", Alnum, 32, 36),                       // Tencent Cloud
    key("API-", UpperAlnum, 26, 32),                  // Octopus Deploy
    key("AQVN", Base64Url, 35, 38),                   // Yandex Cloud
    key("ASIA", UpperAlnum, 16, 16),                  // AWS, temporary access key
    key("ATATT3", Base64Url, 60, 400),                // Atlassian, API token
    key("ATBB", Alnum, 28, 40),                       // Bitbucket, app password
    key("ATCTT3", Base64Url, 60, 400),                // Atlassian, access token
    key("BBDC-", Base64, 40, 60),                     // Bitbucket Data Center
    key("CCIPAT_", Base64Url, 40, 100),               // CircleCI, personal
    key("CCIPRJ_", Base64Url, 40, 100),               // CircleCI, project
    key("CFPAT-", Base64Url, 43, 60),                 // Contentful
    key("CLOJARS_", Alnum, 60, 60),                   // Clojars
    key("EAA", Alnum, 80, 400),                       // Meta, access token
    key("EAAA", Base64Url, 40, 80),                   // Square, access token
    key("EAACEdEose0cBA", Alnum, 20, 250),            // Meta, access token
    key("EZAK", Alnum, 54, 54),                       // EasyPost
    key("EZTK", Alnum, 54, 54),                       // EasyPost, test
    key("FLWPUBK", Base64Url, 12, 60),                // Flutterwave, public
    key("FLWSECK", Base64Url, 12, 60),                // Flutterwave, secret
    key("GOCSPX-", Base64Url, 28, 28),                // Google, OAuth client secret
    key("GR1348941", Base64Url, 20, 40),              // GitLab, runner registration
    key("HRKU-", Base64Url, 36, 80),                  // Heroku
    key("IGQ", Base64Url, 80, 400),                   // Instagram, access token
    key("LTAI", Alnum, 12, 24),                       // Alibaba Cloud
    key("NRAK-", UpperAlnum, 27, 27),                 // New Relic, user key
    key("NRII-", Base64Url, 32, 32),                  // New Relic, insert key
    key("NRJS-", Hex, 19, 19),                        // New Relic, browser key
    key("PMAK-", Base64Url, 50, 80),                  // Postman
    key("SK", Hex, 32, 32),                           // Twilio, API key
    key("YCAJE", Base64Url, 30, 40),                  // Yandex Cloud, static key
    key("ZXlK", Base64, 60, 4000),                    // JSON Web Token, base 64 encoded again
    key("access-development-", Base64Url, 36, 36),    // Plaid
    key("access-production-", Base64Url, 36, 36),     // Plaid
    key("access-sandbox-", Base64Url, 36, 36),        // Plaid
    key("api_org_", Alnum, 30, 60),                   // Hugging Face, organisation
    key("bedrock-api-key-", Base64, 20, 4000),        // Amazon Bedrock, short-lived
    key("bkua_", Hex, 40, 40),                        // Buildkite
    key("cio", Alnum, 32, 32),                        // crates.io
    key("cmVmd", Alnum, 59, 59),                      // Artifactory, reference token
    key("dG9r", Base64, 40, 80),                      // Intercom
    key("dapi", Hex, 32, 34),                         // Databricks
    key("dckr_oat_", Base64Url, 20, 60),              // Docker, organisation
    key("dckr_pat_", Base64Url, 20, 60),              // Docker, personal
    key("doo_v1_", Hex, 64, 64),                      // DigitalOcean, OAuth
    key("dop_v1_", Hex, 64, 64),                      // DigitalOcean, personal
    key("dor_v1_", Hex, 64, 64),                      // DigitalOcean, refresh
    key("dp.", Base64UrlDot, 40, 80),                 // Doppler
    key("dt0c01.", Base64UrlDot, 80, 100),            // Dynatrace
    key("dt0s01.", Base64UrlDot, 80, 100),            // Dynatrace
    key("duffel_live_", Base64Url, 40, 60),           // Duffel
    key("duffel_test_", Base64Url, 40, 60),           // Duffel
    key("eyJrIjoi", Base64, 70, 400),                 // Grafana, API key
    key("fc-", Hex, 32, 32),                          // Firecrawl
    key("figd_", Base64Url, 36, 80),                  // Figma
    key("figo_", Base64Url, 36, 80),                  // Figma, OAuth
    key("fio-u-", Base64Url, 60, 70),                 // Frame.io
    key("fm1_", Base64, 100, 4000),                   // Fly.io
    key("fm1a_", Base64, 100, 4000),                  // Fly.io
    key("fm1r_", Base64, 100, 4000),                  // Fly.io
    key("fm2_", Base64, 100, 4000),                   // Fly.io
    key("fo1_", Base64Url, 43, 43),                   // Fly.io
    key("fw_", Alnum, 22, 48),                        // Fireworks AI
    key("gho_", Alnum, 36, 39),                       // GitHub, OAuth
    key("ghp_", Alnum, 36, 39),                       // GitHub, personal
    key("ghr_", Alnum, 36, 80),                       // GitHub, refresh
    key("ghs_", Alnum, 36, 39),                       // GitHub, installation
    key("ghu_", Alnum, 36, 39),                       // GitHub, user to server
    key("github_pat_", Base64Url, 40, 255),           // GitHub, fine-grained
    key("glagent-", Base64Url, 40, 80),               // GitLab, agent
    key("glc_", Base64, 32, 400),                     // Grafana Cloud
    key("glcbt-", Base64Url, 20, 80),                 // GitLab, CI job
    key("gldt-", Base64UrlDot, 20, 300),              // GitLab, deploy
    key("glffct-", Base64UrlDot, 20, 300),            // GitLab, feature flags
    key("glft-", Base64UrlDot, 20, 300),              // GitLab, feed
    key("glimt-", Base64UrlDot, 20, 300),             // GitLab, incoming mail
    key("gloas-", Base64UrlDot, 40, 300),             // GitLab, OAuth application
    key("glpat-", Base64UrlDot, 20, 300),             // GitLab, personal
    key("glptt-", Base64UrlDot, 20, 300),             // GitLab, pipeline trigger
    key("glrt-", Base64UrlDot, 20, 300),              // GitLab, runner
    key("glsa_", Base64Url, 32, 60),                  // Grafana, service account
    key("glsoat-", Base64UrlDot, 20, 300),            // GitLab, SCIM
    key("gsk_", Alnum, 40, 60),                       // Groq
    key("hf_", Alnum, 30, 60),                        // Hugging Face
    key("hvb.", Base64Url, 60, 400),                  // HashiCorp Vault, batch
    key("hvr.", Base64Url, 60, 400),                  // HashiCorp Vault, recovery
    key("hvs.", Base64Url, 24, 400),                  // HashiCorp Vault, service
    key("ico-", Alnum, 32, 32),                       // Infracost
    key("jina_", Alnum, 40, 80),                      // Jina AI
    key("key-", Hex, 32, 32),                         // Mailgun
    key("lin_api_", Alnum, 32, 64),                   // Linear
    key("lin_oauth_", Alnum, 32, 80),                 // Linear, OAuth
    key("live_", Alnum, 30, 40),                      // Mollie, Lob
    key("lsv2_pt_", Base64Url, 40, 60),               // LangSmith
    key("lsv2_sk_", Base64Url, 40, 60),               // LangSmith
    key("napi_", Alnum, 60, 80),                      // Neon
    key("nfp_", Alnum, 36, 40),                       // Netlify
    key("npm_", Alnum, 36, 36),                       // npm
    key("ntn_", Alnum, 40, 60),                       // Notion
    key("nvapi-", Base64Url, 60, 80),                 // NVIDIA
    key("ops_eyJ", Base64, 200, 4000),                // 1Password, service account
    key("p8e-", Alnum, 32, 32),                       // Adobe
    key("pat-eu1-", Base64Url, 36, 36),               // HubSpot
    key("pat-na1-", Base64Url, 36, 36),               // HubSpot
    key("pat-na2-", Base64Url, 36, 36),               // HubSpot
    key("pcsk_", Base64Url, 40, 80),                  // Pinecone
    key("pina_", Base64Url, 60, 250),                 // Pinterest
    key("pk_live_", Alnum, 16, 250),                  // Stripe, publishable
    key("pnu_", Alnum, 36, 36),                       // Prefect
    key("pplx-", Alnum, 40, 60),                      // Perplexity
    key("pscale_oauth_", Base64UrlDot, 30, 64),       // PlanetScale, OAuth
    key("pscale_pw_", Base64UrlDot, 30, 64),          // PlanetScale, password
    key("pscale_tkn_", Base64UrlDot, 30, 64),         // PlanetScale
    key("pubkey-", Hex, 32, 32),                      // Mailgun, public
    key("pul-", Hex, 40, 40),                         // Pulumi
    key("pypi-", Base64Url, 50, 1000),                // PyPI
    key("r8_", Alnum, 37, 40),                        // Replicate
    key("rdme_", Alnum, 60, 80),                      // ReadMe
    key("rk_live_", Base64Url, 16, 250),              // Stripe, restricted
    key("rk_prod_", Base64Url, 16, 250),              // Stripe, restricted
    key("rk_test_", Base64Url, 16, 250),              // Stripe, restricted, test
    key("rnd_", Alnum, 28, 40),                       // Render
    key("rubygems_", Hex, 48, 48),                    // RubyGems
    key("rzp_live_", Alnum, 14, 20),                  // Razorpay
    key("rzp_test_", Alnum, 14, 20),                  // Razorpay, test
    key("s-s4t2af-", Hex, 64, 64),                    // 42, secret
    key("s-s4t2ud-", Hex, 64, 64),                    // 42, client
    key("sb_secret_", Base64Url, 24, 60),             // Supabase
    key("sbp_", Hex, 40, 40),                         // Supabase, personal
    key("secret_", Alnum, 43, 43),                    // Notion, earlier format
    key("sess-", Alnum, 40, 40),                      // OpenAI, session
    key("sgp_", Base64Url, 40, 80),                   // Sourcegraph
    key("sha256~", Base64Url, 43, 43),                // OpenShift
    key("shippo_live_", Hex, 40, 40),                 // Shippo
    key("shippo_test_", Hex, 40, 40),                 // Shippo, test
    key("shpat_", Hex, 32, 32),                       // Shopify, access token
    key("shpca_", Hex, 32, 32),                       // Shopify, custom app
    key("shppa_", Hex, 32, 32),                       // Shopify, private app
    key("shpss_", Hex, 32, 32),                       // Shopify, shared secret
    key("shptka_", Hex, 32, 32),                      // Shopify, theme access
    key("sk-", Base64UrlDot, 32, 250),                // OpenAI and providers with the same format
    key("sk-admin-", Base64UrlDot, 20, 250),          // OpenAI, administrator
    key("sk-ant-", Base64UrlDot, 20, 250),            // Anthropic
    key("sk-proj-", Base64UrlDot, 20, 250),           // OpenAI, project
    key("sk-svcacct-", Base64UrlDot, 20, 250),        // OpenAI, service account
    key("sk_", Hex, 48, 48),                          // ElevenLabs
    key("sk_live_", Base64Url, 16, 250),              // Stripe, Paystack and others
    key("sk_prod_", Base64Url, 16, 250),              // Stripe
    key("sk_test_", Base64Url, 16, 250),              // Stripe, test
    key("sm_aat_", Alnum, 16, 16),                    // SettleMint
    key("sm_pat_", Alnum, 16, 16),                    // SettleMint
    key("sm_sat_", Alnum, 16, 16),                    // SettleMint
    key("sntrys_", Base64, 40, 500),                  // Sentry, organisation
    key("sntryu_", Hex, 64, 64),                      // Sentry, user
    key("sq0atp-", Base64Url, 22, 60),                // Square, access token
    key("sq0csp-", Base64Url, 22, 60),                // Square, OAuth secret
    key("sq0idp-", Base64Url, 22, 60),                // Square, application
    key("sqa_", Hex, 40, 40),                         // SonarQube, global analysis
    key("sqp_", Hex, 40, 40),                         // SonarQube, project analysis
    key("squ_", Hex, 40, 40),                         // SonarQube, user
    key("test_", Alnum, 30, 40),                      // Mollie, Lob, test
    key("tfp_", Base64UrlDot, 40, 80),                // Typeform
    key("tk-us-", Base64Url, 48, 48),                 // Scalingo
    key("tvly-", Base64Url, 24, 60),                  // Tavily
    key("v1.0-", Base64Url, 171, 171),                // Cloudflare, origin CA key
    key("whsec_", Base64, 24, 100),                   // Stripe and Svix, signing secret
    key("xai-", Alnum, 70, 90),                       // xAI
    key("xapp-", Base64Url, 20, 250),                 // Slack, app
    key("xkeysib-", Base64Url, 64, 100),              // Brevo
    key("xoxa-", Base64Url, 11, 250),                 // Slack, workspace
    key("xoxb-", Base64Url, 16, 250),                 // Slack, bot
    key("xoxe-", Base64Url, 20, 250),                 // Slack, refresh
    key("xoxe.xox", Base64Url, 20, 250),              // Slack, rotated
    key("xoxo-", Base64Url, 16, 250),                 // Slack, legacy
    key("xoxp-", Base64Url, 16, 250),                 // Slack, user
    key("xoxr-", Base64Url, 11, 250),                 // Slack, refresh, legacy
    key("xoxs-", Base64Url, 16, 250),                 // Slack, session
    key("xsmtpsib-", Base64Url, 64, 100),             // Brevo, SMTP
    key("ya29.", Base64UrlDot, 20, 1000),             // Google, OAuth access token
];

#[cfg(test)]
mod tests {
    use super::ISSUED_KEYS;

    #[test]
    fn the_prefixes_are_sorted() {
        assert!(ISSUED_KEYS.windows(2).all(|pair| pair[0].prefix < pair[1].prefix));
    }

    #[test]
    fn every_key_has_at_least_16_characters() {
        assert!(
            ISSUED_KEYS.iter().all(|key| key.min_length <= key.max_length && key.prefix.len() + key.min_length >= 16)
        );
    }
}

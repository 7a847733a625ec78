//! Prefixes that providers give the keys and tokens that they issue, so that these are told wherever they turn up.
//!
//! Source: what each provider documents of its credentials, and of its partnership with secret scanning where there is one
//! (as of 2026). Lengths are those documented, with room where a provider says that they may grow.

/// Characters behind a prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alphabet {
    /// Hexadecimal digits.
    Hex,
    /// Upper-case letters and digits.
    Upper,
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`: base 64 for web addresses (RFC 4648, section 5).
    Word,
    /// The same and `.`.
    Dotted,
    /// Base 64 of either kind (RFC 4648); its padding is not counted.
    Padded,
}

impl Alphabet {
    /// Whether a byte is one of these characters.
    pub(crate) fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Padded => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/'),
        }
    }
}

/// The keys of a provider: a prefix, and how many characters of which alphabet follow it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issued {
    pub(crate) prefix: &'static str,
    pub(crate) alphabet: Alphabet,
    /// Characters behind the prefix at least.
    pub(crate) least: usize,
    /// Characters behind the prefix at most.
    pub(crate) most: usize,
}

const fn issued(prefix: &'static str, alphabet: Alphabet, least: usize, most: usize) -> Issued {
    Issued { prefix, alphabet, least, most }
}

use Alphabet::{Alnum, Dotted, Hex, Padded, Upper, Word};

/// The prefixes, in order.
pub(crate) const ISSUED_KEYS: &[Issued] = &[
    issued("1//0", Word, 40, 250),                  // Google, OAuth refresh token
    issued("4b1d", Alnum, 38, 38),                  // ClickHouse Cloud
    issued("A3T", Upper, 17, 17),                   // AWS, vendor-specific access key
    issued("AAAAAAAAAAAAAAAAAAAAA", Word, 40, 250), // X (Twitter), bearer token
    issued("ABIA", Upper, 16, 16),                  // AWS, bearer token of a service
    issued("ABSK", Padded, 60, 300),                // Amazon Bedrock
    issued("ACCA", Upper, 16, 16),                  // AWS, context-specific credential
    issued("AGE-SECRET-KEY-1", Upper, 58, 58),      // age
    issued("AIza", Word, 35, 35),                   // Google Cloud
    issued("AKCp", Alnum, 60, 80),                  // Artifactory
    issued("AKIA", Upper, 16, 16),                  // AWS, access key
    issued("AKID", Alnum, 32, 36),                  // Tencent Cloud
    issued("API-", Upper, 26, 32),                  // Octopus Deploy
    issued("AQVN", Word, 35, 38),                   // Yandex Cloud
    issued("ASIA", Upper, 16, 16),                  // AWS, temporary access key
    issued("ATATT3", Word, 60, 400),                // Atlassian, API token
    issued("ATBB", Alnum, 28, 40),                  // Bitbucket, app password
    issued("ATCTT3", Word, 60, 400),                // Atlassian, access token
    issued("BBDC-", Padded, 40, 60),                // Bitbucket Data Center
    issued("CCIPAT_", Word, 40, 100),               // CircleCI, personal
    issued("CCIPRJ_", Word, 40, 100),               // CircleCI, project
    issued("CFPAT-", Word, 43, 60),                 // Contentful
    issued("CLOJARS_", Alnum, 60, 60),              // Clojars
    issued("EAA", Alnum, 80, 400),                  // Meta, access token
    issued("EAAA", Word, 40, 80),                   // Square, access token
    issued("EAACEdEose0cBA", Alnum, 20, 250),       // Meta, access token
    issued("EZAK", Alnum, 54, 54),                  // EasyPost
    issued("EZTK", Alnum, 54, 54),                  // EasyPost, test
    issued("FLWPUBK", Word, 12, 60),                // Flutterwave, public
    issued("FLWSECK", Word, 12, 60),                // Flutterwave, secret
    issued("GOCSPX-", Word, 28, 28),                // Google, OAuth client secret
    issued("GR1348941", Word, 20, 40),              // GitLab, runner registration
    issued("HRKU-", Word, 36, 80),                  // Heroku
    issued("IGQ", Word, 80, 400),                   // Instagram, access token
    issued("LTAI", Alnum, 12, 24),                  // Alibaba Cloud
    issued("NRAK-", Upper, 27, 27),                 // New Relic, user key
    issued("NRII-", Word, 32, 32),                  // New Relic, insert key
    issued("NRJS-", Hex, 19, 19),                   // New Relic, browser key
    issued("PMAK-", Word, 50, 80),                  // Postman
    issued("SK", Hex, 32, 32),                      // Twilio, API key
    issued("YCAJE", Word, 30, 40),                  // Yandex Cloud, static key
    issued("ZXlK", Padded, 60, 4000),               // a web token, in base 64 once more
    issued("access-development-", Word, 36, 36),    // Plaid
    issued("access-production-", Word, 36, 36),     // Plaid
    issued("access-sandbox-", Word, 36, 36),        // Plaid
    issued("api_org_", Alnum, 30, 60),              // Hugging Face, organisation
    issued("bedrock-api-key-", Padded, 20, 4000),   // Amazon Bedrock, short-lived
    issued("bkua_", Hex, 40, 40),                   // Buildkite
    issued("cio", Alnum, 32, 32),                   // crates.io
    issued("cmVmd", Alnum, 59, 59),                 // Artifactory, reference token
    issued("dG9r", Padded, 40, 80),                 // Intercom
    issued("dapi", Hex, 32, 34),                    // Databricks
    issued("dckr_oat_", Word, 20, 60),              // Docker, organisation
    issued("dckr_pat_", Word, 20, 60),              // Docker, personal
    issued("doo_v1_", Hex, 64, 64),                 // DigitalOcean, OAuth
    issued("dop_v1_", Hex, 64, 64),                 // DigitalOcean, personal
    issued("dor_v1_", Hex, 64, 64),                 // DigitalOcean, refresh
    issued("dp.", Dotted, 40, 80),                  // Doppler
    issued("dt0c01.", Dotted, 80, 100),             // Dynatrace
    issued("dt0s01.", Dotted, 80, 100),             // Dynatrace
    issued("duffel_live_", Word, 40, 60),           // Duffel
    issued("duffel_test_", Word, 40, 60),           // Duffel
    issued("eyJrIjoi", Padded, 70, 400),            // Grafana, API key
    issued("fc-", Hex, 32, 32),                     // Firecrawl
    issued("figd_", Word, 36, 80),                  // Figma
    issued("figo_", Word, 36, 80),                  // Figma, OAuth
    issued("fio-u-", Word, 60, 70),                 // Frame.io
    issued("fm1_", Padded, 100, 4000),              // Fly.io
    issued("fm1a_", Padded, 100, 4000),             // Fly.io
    issued("fm1r_", Padded, 100, 4000),             // Fly.io
    issued("fm2_", Padded, 100, 4000),              // Fly.io
    issued("fo1_", Word, 43, 43),                   // Fly.io
    issued("fw_", Alnum, 22, 48),                   // Fireworks AI
    issued("gho_", Alnum, 36, 39),                  // GitHub, OAuth
    issued("ghp_", Alnum, 36, 39),                  // GitHub, personal
    issued("ghr_", Alnum, 36, 80),                  // GitHub, refresh
    issued("ghs_", Alnum, 36, 39),                  // GitHub, installation
    issued("ghu_", Alnum, 36, 39),                  // GitHub, user to server
    issued("github_pat_", Word, 40, 255),           // GitHub, fine-grained
    issued("glagent-", Word, 40, 80),               // GitLab, agent
    issued("glc_", Padded, 32, 400),                // Grafana Cloud
    issued("glcbt-", Word, 20, 80),                 // GitLab, CI job
    issued("gldt-", Dotted, 20, 300),               // GitLab, deploy
    issued("glffct-", Dotted, 20, 300),             // GitLab, feature flags
    issued("glft-", Dotted, 20, 300),               // GitLab, feed
    issued("glimt-", Dotted, 20, 300),              // GitLab, incoming mail
    issued("gloas-", Dotted, 40, 300),              // GitLab, OAuth application
    issued("glpat-", Dotted, 20, 300),              // GitLab, personal
    issued("glptt-", Dotted, 20, 300),              // GitLab, pipeline trigger
    issued("glrt-", Dotted, 20, 300),               // GitLab, runner
    issued("glsa_", Word, 32, 60),                  // Grafana, service account
    issued("glsoat-", Dotted, 20, 300),             // GitLab, SCIM
    issued("gsk_", Alnum, 40, 60),                  // Groq
    issued("hf_", Alnum, 30, 60),                   // Hugging Face
    issued("hvb.", Word, 60, 400),                  // HashiCorp Vault, batch
    issued("hvr.", Word, 60, 400),                  // HashiCorp Vault, recovery
    issued("hvs.", Word, 24, 400),                  // HashiCorp Vault, service
    issued("ico-", Alnum, 32, 32),                  // Infracost
    issued("jina_", Alnum, 40, 80),                 // Jina AI
    issued("key-", Hex, 32, 32),                    // Mailgun
    issued("lin_api_", Alnum, 32, 64),              // Linear
    issued("lin_oauth_", Alnum, 32, 80),            // Linear, OAuth
    issued("live_", Alnum, 30, 40),                 // Mollie, Lob
    issued("lsv2_pt_", Word, 40, 60),               // LangSmith
    issued("lsv2_sk_", Word, 40, 60),               // LangSmith
    issued("napi_", Alnum, 60, 80),                 // Neon
    issued("nfp_", Alnum, 36, 40),                  // Netlify
    issued("npm_", Alnum, 36, 36),                  // npm
    issued("ntn_", Alnum, 40, 60),                  // Notion
    issued("nvapi-", Word, 60, 80),                 // NVIDIA
    issued("ops_eyJ", Padded, 200, 4000),           // 1Password, service account
    issued("p8e-", Alnum, 32, 32),                  // Adobe
    issued("pat-eu1-", Word, 36, 36),               // HubSpot
    issued("pat-na1-", Word, 36, 36),               // HubSpot
    issued("pat-na2-", Word, 36, 36),               // HubSpot
    issued("pcsk_", Word, 40, 80),                  // Pinecone
    issued("pina_", Word, 60, 250),                 // Pinterest
    issued("pk_live_", Alnum, 16, 250),             // Stripe, publishable
    issued("pnu_", Alnum, 36, 36),                  // Prefect
    issued("pplx-", Alnum, 40, 60),                 // Perplexity
    issued("pscale_oauth_", Dotted, 30, 64),        // PlanetScale, OAuth
    issued("pscale_pw_", Dotted, 30, 64),           // PlanetScale, password
    issued("pscale_tkn_", Dotted, 30, 64),          // PlanetScale
    issued("pubkey-", Hex, 32, 32),                 // Mailgun, public
    issued("pul-", Hex, 40, 40),                    // Pulumi
    issued("pypi-", Word, 50, 1000),                // PyPI
    issued("r8_", Alnum, 37, 40),                   // Replicate
    issued("rdme_", Alnum, 60, 80),                 // ReadMe
    issued("rk_live_", Word, 16, 250),              // Stripe, restricted
    issued("rk_prod_", Word, 16, 250),              // Stripe, restricted
    issued("rk_test_", Word, 16, 250),              // Stripe, restricted, test
    issued("rnd_", Alnum, 28, 40),                  // Render
    issued("rubygems_", Hex, 48, 48),               // RubyGems
    issued("rzp_live_", Alnum, 14, 20),             // Razorpay
    issued("rzp_test_", Alnum, 14, 20),             // Razorpay, test
    issued("s-s4t2af-", Hex, 64, 64),               // 42, secret
    issued("s-s4t2ud-", Hex, 64, 64),               // 42, client
    issued("sb_secret_", Word, 24, 60),             // Supabase
    issued("sbp_", Hex, 40, 40),                    // Supabase, personal
    issued("secret_", Alnum, 43, 43),               // Notion, earlier form
    issued("sess-", Alnum, 40, 40),                 // OpenAI, session
    issued("sgp_", Word, 40, 80),                   // Sourcegraph
    issued("sha256~", Word, 43, 43),                // OpenShift
    issued("shippo_live_", Hex, 40, 40),            // Shippo
    issued("shippo_test_", Hex, 40, 40),            // Shippo, test
    issued("shpat_", Hex, 32, 32),                  // Shopify, access token
    issued("shpca_", Hex, 32, 32),                  // Shopify, custom app
    issued("shppa_", Hex, 32, 32),                  // Shopify, private app
    issued("shpss_", Hex, 32, 32),                  // Shopify, shared secret
    issued("shptka_", Hex, 32, 32),                 // Shopify, theme access
    issued("sk-", Dotted, 32, 250),                 // OpenAI and those that took its form over
    issued("sk-admin-", Dotted, 20, 250),           // OpenAI, administrator
    issued("sk-ant-", Dotted, 20, 250),             // Anthropic
    issued("sk-proj-", Dotted, 20, 250),            // OpenAI, project
    issued("sk-svcacct-", Dotted, 20, 250),         // OpenAI, service account
    issued("sk_", Hex, 48, 48),                     // ElevenLabs
    issued("sk_live_", Word, 16, 250),              // Stripe, Paystack and others
    issued("sk_prod_", Word, 16, 250),              // Stripe
    issued("sk_test_", Word, 16, 250),              // Stripe, test
    issued("sm_aat_", Alnum, 16, 16),               // SettleMint
    issued("sm_pat_", Alnum, 16, 16),               // SettleMint
    issued("sm_sat_", Alnum, 16, 16),               // SettleMint
    issued("sntrys_", Padded, 40, 500),             // Sentry, organisation
    issued("sntryu_", Hex, 64, 64),                 // Sentry, user
    issued("sq0atp-", Word, 22, 60),                // Square, access token
    issued("sq0csp-", Word, 22, 60),                // Square, OAuth secret
    issued("sq0idp-", Word, 22, 60),                // Square, application
    issued("sqa_", Hex, 40, 40),                    // SonarQube, global analysis
    issued("sqp_", Hex, 40, 40),                    // SonarQube, project analysis
    issued("squ_", Hex, 40, 40),                    // SonarQube, user
    issued("test_", Alnum, 30, 40),                 // Mollie, Lob, test
    issued("tfp_", Dotted, 40, 80),                 // Typeform
    issued("tk-us-", Word, 48, 48),                 // Scalingo
    issued("tvly-", Word, 24, 60),                  // Tavily
    issued("v1.0-", Word, 171, 171),                // Cloudflare, origin CA key
    issued("whsec_", Padded, 24, 100),              // Stripe and Svix, signing secret
    issued("xai-", Alnum, 70, 90),                  // xAI
    issued("xapp-", Word, 20, 250),                 // Slack, app
    issued("xkeysib-", Word, 64, 100),              // Brevo
    issued("xoxa-", Word, 11, 250),                 // Slack, workspace
    issued("xoxb-", Word, 16, 250),                 // Slack, bot
    issued("xoxe-", Word, 20, 250),                 // Slack, refresh
    issued("xoxe.xox", Word, 20, 250),              // Slack, rotated
    issued("xoxo-", Word, 16, 250),                 // Slack, legacy
    issued("xoxp-", Word, 16, 250),                 // Slack, user
    issued("xoxr-", Word, 11, 250),                 // Slack, refresh, legacy
    issued("xoxs-", Word, 16, 250),                 // Slack, session
    issued("xsmtpsib-", Word, 64, 100),             // Brevo, SMTP
    issued("ya29.", Dotted, 20, 1000),              // Google, OAuth access token
];

#[cfg(test)]
mod tests {
    use super::ISSUED_KEYS;

    #[test]
    fn prefixes_ascend() {
        assert!(ISSUED_KEYS.windows(2).all(|pair| pair[0].prefix < pair[1].prefix));
    }

    #[test]
    fn no_key_is_shorter_than_what_is_looked_at() {
        assert!(ISSUED_KEYS.iter().all(|key| key.least <= key.most && key.prefix.len() + key.least >= 16));
    }
}

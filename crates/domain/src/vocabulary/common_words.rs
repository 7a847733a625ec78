//! Common English words. Speech recognition would often hear a vocabulary entry that equals one of them by mistake.

/// Whether a lower-case word is a common English word.
pub(super) fn is_common_word(word: &str) -> bool {
    COMMON_WORDS.split_ascii_whitespace().any(|common| common == word)
}

/// Short common English words, in alphabetical order.
const COMMON_WORDS: &str = "
    a about above act add after again age ago air all along also always am an and any are arm art as ask at away
    back bad bag ball bank bar base be bed been before begin bell best better big bill bit black blue board boat
    body book both box boy bread break bring brother build burn bus business but buy by call came can car card care
    case cat catch change child city class clean clear close cold come cook cool cost could country cup cut dark
    date day dead deal dear deep did die do does dog done door down draw dress drink drive drop dry each ear early
    earth east easy eat edge egg end even ever every eye face fact fall family far farm fast father feel feet few
    field fill find fine fire first fish five fix fly follow food foot for form four free friend from front full fun
    game gave get girl give glad go goes gold gone good got great green ground group grow guess had hair half hand
    happy hard has hat have he head hear heart heat help her here hi high him his hit hold home hope horse hot hour
    house how hundred i idea if in index into is it its job join jump just keep key kind king knew know land large
    last late laugh lead learn leave left leg less let letter life light like line list little live long look lost
    lot love low made mail main make man many map mark may me mean meet men might mind mine minute miss money month
    more most mother move much music must my name near need never new news next nice night nine no north not note
    now number of off offer oil ok old on once one only open or order other our out over own page paper part pass
    pay people phone pick place plan play please point poor post pull push put question quick quite rain ran read
    ready real red rest rich ride right ring river road rock room round rule run said same sat save saw say school
    sea seat second see seem sell send sent set seven shall she ship shop short should show side sing sir sister sit
    six size sleep slow small snow so some son song soon sorry sound south speak stand star start stay step still
    stop store story street strong such sun sure table take talk tell ten test than thank thanks that the their them
    then there these they thing think third this those thought three through time to today together told too took
    top town tree true try turn two under until up us use very voice wait walk wall want war warm was wash watch
    water way we week well went were west what wheel when where which white who whole why wife will win wind window
    wish with woman word work world would write wrong yard year yellow yes yet you young your zero
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_lower_case_sorted_and_unique() {
        let words: Vec<_> = COMMON_WORDS.split_ascii_whitespace().collect();
        assert!(words.is_sorted_by(|one, next| one < next));
        assert!(words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }

    #[test]
    fn a_common_word_is_found_and_a_name_is_not() {
        for word in ["a", "ran", "index", "zero"] {
            assert!(is_common_word(word), "{word}");
        }
        for word in ["contoso", "ieee", "cran", "", "the the"] {
            assert!(!is_common_word(word), "{word:?}");
        }
    }
}

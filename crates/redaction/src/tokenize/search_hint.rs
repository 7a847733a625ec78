//! A search hint: binary search in an ordered list, sped up if successive searches end near each other.

use std::cell::Cell;

/// Linear steps from the last result before the search falls back to the whole list.
const MAX_LINEAR_STEPS: usize = 8;

/// The result of the last search.
#[derive(Default)]
pub(crate) struct SearchHint(Cell<usize>);

impl SearchHint {
    /// Index of the first item of an ordered list for which `comes_before` is false; the length of the list if there is
    /// none. The result equals that of [`slice::partition_point`].
    pub(crate) fn partition_point<T>(&self, list: &[T], comes_before: impl Fn(&T) -> bool) -> usize {
        let mut at = self.0.get().min(list.len());
        for _ in 0..MAX_LINEAR_STEPS {
            if list.get(at).is_some_and(&comes_before) {
                at += 1;
            } else if at > 0 && !comes_before(&list[at - 1]) {
                at -= 1;
            } else {
                self.0.set(at);
                return at;
            }
        }
        let at = list.partition_point(comes_before);
        self.0.set(at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_every_position_from_every_hint() {
        let list: Vec<usize> = (0..40).map(|n| n / 2).collect();
        let hint = SearchHint::default();
        for from in 0..=20 {
            for to in 0..=20 {
                hint.partition_point(&list, |n| *n < from);
                assert_eq!(hint.partition_point(&list, |n| *n < to), list.partition_point(|n| *n < to));
            }
        }
        assert_eq!(hint.partition_point(&[] as &[usize], |n| *n < 5), 0);
    }
}

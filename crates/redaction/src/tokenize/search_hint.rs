//! A place in an ordered list that is most often asked for near where it was asked for last.

use std::cell::Cell;

/// Steps from the last place to the next at most, before the whole list is searched.
const NEAR: usize = 8;

/// Where in a list one was last.
#[derive(Default)]
pub(crate) struct Bookmark(Cell<usize>);

impl Bookmark {
    /// The first item of an ordered list that does not come before what is sought; the length of the list where all do.
    pub(crate) fn seek<T>(&self, list: &[T], comes_before: impl Fn(&T) -> bool) -> usize {
        let mut at = self.0.get().min(list.len());
        for _ in 0..NEAR {
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
    fn every_place_is_found_from_every_other() {
        let list: Vec<usize> = (0..40).map(|n| n / 2).collect();
        let bookmark = Bookmark::default();
        for from in 0..=20 {
            for to in 0..=20 {
                bookmark.seek(&list, |n| *n < from);
                assert_eq!(bookmark.seek(&list, |n| *n < to), list.partition_point(|n| *n < to));
            }
        }
        assert_eq!(bookmark.seek(&[] as &[usize], |n| *n < 5), 0);
    }
}

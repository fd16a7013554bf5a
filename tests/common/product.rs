//! Loops over several lists at once. Plain Rust: unit tests of the
//! library include this file.
#![allow(unreachable_pub, reason = "in the package of the tests, it is a part of the API")]

use std::fmt::Debug;

/// Lists in a tuple. A case takes one value of each list.
pub trait Axes {
    type Case: Clone + Debug;

    /// All cases. The last list varies fastest, as in nested loops.
    fn cases(self) -> Vec<Self::Case>;
}

/// Every value of each list with every value of the other lists. A test that fails in the loop over
/// them prints its case.
pub fn product<A: Axes>(axes: A) -> Product<A::Case> {
    Product { cases: axes.cases(), next: 0 }
}

pub struct Product<C: Debug> {
    cases: Vec<C>,
    next: usize,
}

impl<C: Clone + Debug> Iterator for Product<C> {
    type Item = C;

    fn next(&mut self) -> Option<C> {
        let case = self.cases.get(self.next)?.clone();
        self.next += 1;
        Some(case)
    }
}

impl<C: Debug> Drop for Product<C> {
    fn drop(&mut self) {
        if let (true, Some(last)) = (std::thread::panicking(), self.next.checked_sub(1)) {
            eprintln!("case {last} of {}: {:?}", self.cases.len(), self.cases[last]);
        }
    }
}

/// Implements [`Axes`] for tuples of lists.
macro_rules! axes {
    ($($list:ident $value:ident)+) => {
        impl<$($list),+> Axes for ($($list,)+)
        where
            $($list: IntoIterator<Item: Clone + Debug> + Clone,)+
        {
            type Case = ($($list::Item,)+);

            fn cases(self) -> Vec<Self::Case> {
                let mut cases = Vec::new();
                let ($($value,)+) = self;
                axes!(@loops cases [$($value)+] $($value)+);
                cases
            }
        }
    };
    (@loops $cases:ident [$($value:ident)+] $first:ident $($rest:ident)*) => {
        for $first in $first.clone() {
            axes!(@loops $cases [$($value)+] $($rest)*);
        }
    };
    (@loops $cases:ident [$($value:ident)+]) => {
        $cases.push(($($value.clone(),)+))
    };
}

axes!(A a B b);
axes!(A a B b C c);
axes!(A a B b C c D d);
axes!(A a B b C c D d E e);

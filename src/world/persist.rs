//! serde: handles and worlds, which are checked when they are read.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess, Visitor},
};

use super::World;
use crate::base::Handle;

/// [`Handle::to_bits`].
impl Serialize for Handle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_bits().serialize(serializer)
    }
}

/// As by [`Handle::from_bits`].
impl<'de> Deserialize<'de> for Handle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        let unexpected = de::Unexpected::Unsigned(bits);
        let error = || de::Error::invalid_value(unexpected, &"the bits of a handle");
        Self::from_bits(bits).ok_or_else(error)
    }
}

/// The bytes of a [`snapshot`](World::snapshot).
impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.snapshot())
    }
}

/// As by [`World::restore`].
impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

/// Takes bytes, or a list of numbers in formats without bytes.
struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = World;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the bytes of a snapshot")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<World, E> {
        World::restore(bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<World, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element::<u8>()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

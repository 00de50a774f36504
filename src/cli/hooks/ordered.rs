//! JSON that keeps the order of its fields: settings of others are given back as they were written.

use std::fmt;

use anyhow::Context;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::ser::PrettyFormatter;

/// Any JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ordered {
    /// A list.
    List(Vec<Ordered>),
    /// Fields in their order.
    Object(Vec<(String, Ordered)>),
    /// Anything else.
    Plain(Value),
}

impl Ordered {
    pub(super) fn object() -> Self {
        Self::Object(Vec::new())
    }

    pub(super) fn list() -> Self {
        Self::List(Vec::new())
    }

    pub(super) fn text_of(text: &str) -> Self {
        Self::Plain(Value::from(text))
    }

    /// An object of plain values with its fields in this order.
    pub(super) fn of(value: &Value, order: &[&str]) -> Self {
        let field = |name: &&str| Some(((*name).to_owned(), Self::Plain(value.get(name)?.clone())));
        Self::Object(order.iter().filter_map(field).collect())
    }

    /// Reads JSON.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        serde_json::from_str(text).context("it is no JSON; mend it, or name another with --scope")
    }

    /// The JSON, one field a line.
    pub(super) fn text(&self, indent: &str) -> String {
        let mut text = Vec::new();
        let formatter = PrettyFormatter::with_indent(indent.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
        self.serialize(&mut serializer).expect("JSON in memory can be written");
        text.push(b'\n');
        String::from_utf8(text).expect("JSON is text")
    }

    /// The same, whatever the order of fields.
    pub(super) fn value(&self) -> Value {
        serde_json::to_value(self).expect("JSON is JSON")
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Plain(value) = self { value.as_str() } else { None }
    }

    pub(super) fn items(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    pub(super) fn fields(&mut self) -> Option<&mut Vec<(String, Self)>> {
        if let Self::Object(fields) = self { Some(fields) } else { None }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Object(fields) => fields.is_empty(),
            Self::Plain(_) => false,
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    pub(super) fn entry(&mut self, name: &str) -> Option<&mut Self> {
        self.fields()?.iter_mut().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// A field, made if it is not there; none in something that has no fields.
    pub(super) fn made(&mut self, name: &str, empty: Self) -> Option<&mut Self> {
        let fields = self.fields()?;
        let place = fields.iter().position(|(field, _)| field == name).unwrap_or_else(|| {
            fields.push((name.to_owned(), empty));
            fields.len() - 1
        });
        fields.get_mut(place).map(|(_, value)| value)
    }

    pub(super) fn remove(&mut self, name: &str) {
        if let Some(fields) = self.fields() {
            fields.retain(|(field, _)| field != name);
        }
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(items) => items.serialize(serializer),
            Self::Plain(value) => value.serialize(serializer),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Ordered;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Ordered::Object(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Ordered::List(items))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Ordered, E> {
        Ok(Ordered::Plain(Value::Null))
    }
}

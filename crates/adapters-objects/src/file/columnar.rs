//! Parquet: texts as UTF-8, moments as microseconds of UTC, flags as booleans. Lists and maps are JSON text, so that
//! every reader takes them.

use std::{mem, sync::Arc};

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, ColumnKind, Rows},
};
use parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel},
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::types::Type,
};

use super::Encoder;
use crate::error::not_encoded;

/// Rows that are held until they are written together, column by column.
const ROWS_OF_A_GROUP: usize = 65_536;

pub(super) struct ParquetEncoder {
    columns: Vec<Held>,
    writer: SerializedFileWriter<Vec<u8>>,
    rows: usize,
}

/// The values of a column that are held, and of each row whether it has one.
struct Held {
    column: Column,
    values: Values,
    levels: Vec<i16>,
}

enum Values {
    Texts(Vec<ByteArray>),
    Moments(Vec<i64>),
    Flags(Vec<bool>),
}

impl ParquetEncoder {
    pub(super) fn new(columns: &'static [Column]) -> Result<Self, StoreError> {
        let make = || {
            let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
            let schema = Type::group_type_builder("row").with_fields(fields).build()?;
            let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?));
            SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()))
        };
        let columns = columns.iter().map(Held::none).collect();
        Ok(Self { columns, writer: make().map_err(not_encoded)?, rows: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for held in &mut self.columns {
            held.write(&mut group)?;
        }
        group.close().map(|_| ())
    }
}

impl Encoder for ParquetEncoder {
    fn rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError> {
        rows.each(&mut |row| {
            self.columns.iter_mut().zip(row).for_each(|(held, cell)| held.hold(cell));
            Ok(())
        })?;
        self.rows += rows.count();
        if self.rows >= ROWS_OF_A_GROUP {
            self.write_group().map_err(not_encoded)?;
            out.append(self.writer.inner_mut());
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError> {
        self.write_group().and_then(|()| self.writer.finish()).map_err(not_encoded)?;
        out.append(self.writer.inner_mut());
        Ok(())
    }
}

impl Held {
    fn none(column: &Column) -> Self {
        let values = match column.kind {
            ColumnKind::Text | ColumnKind::Texts | ColumnKind::Pairs => Values::Texts(Vec::new()),
            ColumnKind::Flag => Values::Flags(Vec::new()),
            ColumnKind::Moment => Values::Moments(Vec::new()),
        };
        Self { column: *column, values, levels: Vec::new() }
    }

    /// A value of another kind than the column's is none.
    fn hold(&mut self, cell: &Cell<'_>) {
        let before = self.values.count();
        match &mut self.values {
            Values::Texts(texts) => texts.extend(text(cell)),
            Values::Moments(moments) => moments.extend(moment(cell)),
            Values::Flags(flags) => flags.extend(flag(cell)),
        }
        self.levels.push(i16::from(self.values.count() > before));
    }

    fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<(), ParquetError> {
        let levels = mem::take(&mut self.levels);
        match &mut self.values {
            Values::Texts(texts) => write_column::<ByteArrayType>(group, self.column, &levels, &mem::take(texts)),
            Values::Moments(moments) => write_column::<Int64Type>(group, self.column, &levels, &mem::take(moments)),
            Values::Flags(flags) => write_column::<BoolType>(group, self.column, &levels, &mem::take(flags)),
        }
    }
}

impl Values {
    fn count(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Moments(moments) => moments.len(),
            Self::Flags(flags) => flags.len(),
        }
    }
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnKind::Text | ColumnKind::Texts | ColumnKind::Pairs => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnKind::Flag => (Physical::BOOLEAN, None),
        ColumnKind::Moment => {
            let unit = TimeUnit::MICROS;
            (Physical::INT64, Some(LogicalType::timestamp(true, unit)))
        }
    };
    let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let builder = Type::primitive_type_builder(column.name, physical);
    builder.with_logical_type(logical).with_repetition(repetition).build().map(Arc::new)
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    column: Column,
    levels: &[i16],
    values: &[T::T],
) -> Result<(), ParquetError> {
    if !column.nullable && values.len() != levels.len() {
        return Err(ParquetError::General(format!("a row has no value in {}", column.name)));
    }
    let missing = || ParquetError::General(format!("the file has no column {}", column.name));
    let mut writer = group.next_column()?.ok_or_else(missing)?;
    writer.typed::<T>().write_batch(values, column.nullable.then_some(levels), None)?;
    writer.close()
}

fn moment(cell: &Cell<'_>) -> Option<i64> {
    if let Cell::Moment(moment) = cell { Some(moment.as_micros()) } else { None }
}

fn flag(cell: &Cell<'_>) -> Option<bool> {
    if let Cell::Flag(flag) = cell { Some(*flag) } else { None }
}

fn text(cell: &Cell<'_>) -> Option<ByteArray> {
    match cell {
        Cell::Text(text) => Some(text.as_bytes().to_vec().into()),
        Cell::Texts(texts) => serde_json::to_vec(texts).ok().map(Into::into),
        Cell::Pairs(pairs) => serde_json::to_vec(pairs).ok().map(Into::into),
        Cell::Null | Cell::Flag(_) | Cell::Moment(_) => None,
    }
}

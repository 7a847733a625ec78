//! The Parquet encoder: texts as UTF-8, timestamps as microseconds of UTC, flags as booleans. Lists and maps are JSON
//! texts, so that every reader supports them.

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

use super::encoder::Encoder;
use crate::error::encoding_error;

/// The number of buffered rows at which a row group is written.
const ROWS_PER_GROUP: usize = 65_536;

pub(super) struct ParquetEncoder {
    buffers: Vec<ColumnBuffer>,
    writer: SerializedFileWriter<Vec<u8>>,
    rows: usize,
}

/// The buffered values of a column. The definition level of a row is 1 if the row has a value, else 0.
struct ColumnBuffer {
    column: Column,
    values: Values,
    definition_levels: Vec<i16>,
}

enum Values {
    Texts(Vec<ByteArray>),
    Timestamps(Vec<i64>),
    Booleans(Vec<bool>),
}

impl ParquetEncoder {
    pub(super) fn new(columns: &'static [Column]) -> Result<Self, StoreError> {
        let open_writer = || {
            let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
            let schema = Type::group_type_builder("row").with_fields(fields).build()?;
            let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?));
            SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()))
        };
        let buffers = columns.iter().map(ColumnBuffer::empty).collect();
        Ok(Self { buffers, writer: open_writer().map_err(encoding_error)?, rows: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for buffer in &mut self.buffers {
            buffer.write(&mut group)?;
        }
        group.close().map(|_| ())
    }
}

impl Encoder for ParquetEncoder {
    fn encode_rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError> {
        rows.for_each_row(&mut |row| {
            self.buffers.iter_mut().zip(row).for_each(|(buffer, cell)| buffer.push(cell));
            Ok(())
        })?;
        self.rows += rows.count();
        if self.rows >= ROWS_PER_GROUP {
            self.write_group().map_err(encoding_error)?;
            out.append(self.writer.inner_mut());
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError> {
        self.write_group().and_then(|()| self.writer.finish()).map_err(encoding_error)?;
        out.append(self.writer.inner_mut());
        Ok(())
    }
}

impl ColumnBuffer {
    fn empty(column: &Column) -> Self {
        let values = match column.kind {
            ColumnKind::Text | ColumnKind::ListOfTexts | ColumnKind::MapOfTexts => Values::Texts(Vec::new()),
            ColumnKind::Boolean => Values::Booleans(Vec::new()),
            ColumnKind::DateTime => Values::Timestamps(Vec::new()),
        };
        Self { column: *column, values, definition_levels: Vec::new() }
    }

    /// Appends a value. A value of another type than the column's counts as missing.
    fn push(&mut self, cell: &Cell<'_>) {
        let before = self.values.count();
        match &mut self.values {
            Values::Texts(texts) => texts.extend(text(cell)),
            Values::Timestamps(timestamps) => timestamps.extend(timestamp_micros(cell)),
            Values::Booleans(booleans) => booleans.extend(boolean(cell)),
        }
        self.definition_levels.push(i16::from(self.values.count() > before));
    }

    fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<(), ParquetError> {
        let levels = mem::take(&mut self.definition_levels);
        match &mut self.values {
            Values::Texts(texts) => write_column::<ByteArrayType>(group, self.column, &levels, &mem::take(texts)),
            Values::Timestamps(micros) => write_column::<Int64Type>(group, self.column, &levels, &mem::take(micros)),
            Values::Booleans(booleans) => write_column::<BoolType>(group, self.column, &levels, &mem::take(booleans)),
        }
    }
}

impl Values {
    fn count(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Timestamps(timestamps) => timestamps.len(),
            Self::Booleans(booleans) => booleans.len(),
        }
    }
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnKind::Text | ColumnKind::ListOfTexts | ColumnKind::MapOfTexts => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        }
        ColumnKind::Boolean => (Physical::BOOLEAN, None),
        ColumnKind::DateTime => {
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
        return Err(ParquetError::General(format!("a row has no value in the required column {}", column.name)));
    }
    let missing_column = || ParquetError::General(format!("the file has no column {}", column.name));
    let mut writer = group.next_column()?.ok_or_else(missing_column)?;
    writer.typed::<T>().write_batch(values, column.nullable.then_some(levels), None)?;
    writer.close()
}

fn timestamp_micros(cell: &Cell<'_>) -> Option<i64> {
    if let Cell::DateTime(timestamp) = cell { Some(timestamp.as_micros()) } else { None }
}

fn boolean(cell: &Cell<'_>) -> Option<bool> {
    if let Cell::Boolean(boolean) = cell { Some(*boolean) } else { None }
}

fn text(cell: &Cell<'_>) -> Option<ByteArray> {
    match cell {
        Cell::Text(text) => Some(text.as_bytes().to_vec().into()),
        Cell::ListOfTexts(texts) => serde_json::to_vec(texts).ok().map(Into::into),
        Cell::MapOfTexts(pairs) => serde_json::to_vec(pairs).ok().map(Into::into),
        Cell::Null | Cell::Boolean(_) | Cell::DateTime(_) => None,
    }
}

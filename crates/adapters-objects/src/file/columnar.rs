//! Parquet: texts as UTF-8, moments as microseconds of UTC, flags as booleans. Lists and maps are JSON text, so that
//! every reader takes them.

use std::{mem, sync::Arc};

use parlance_domain::{
    error::StoreError,
    feed::{Cell, Column, ColumnKind, Row},
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
    columns: &'static [Column],
    writer: SerializedFileWriter<Vec<u8>>,
    rows: Vec<Row>,
}

impl ParquetEncoder {
    pub(super) fn new(columns: &'static [Column]) -> Result<Self, StoreError> {
        let make = || {
            let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
            let schema = Type::group_type_builder("row").with_fields(fields).build()?;
            let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?));
            SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()))
        };
        Ok(Self { columns, writer: make().map_err(not_encoded)?, rows: Vec::new() })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (place, column) in self.columns.iter().enumerate() {
            let cells = rows.iter().map(|row| row.get(place).unwrap_or(&Cell::Null));
            match column.kind {
                ColumnKind::Moment => write_column::<Int64Type>(&mut group, *column, cells, moment)?,
                ColumnKind::Flag => write_column::<BoolType>(&mut group, *column, cells, flag)?,
                ColumnKind::Text | ColumnKind::Texts | ColumnKind::Pairs => {
                    write_column::<ByteArrayType>(&mut group, *column, cells, text)?;
                }
            }
        }
        group.close().map(|_| ())
    }
}

impl Encoder for ParquetEncoder {
    fn rows(&mut self, rows: Vec<Row>, out: &mut Vec<u8>) -> Result<(), StoreError> {
        self.rows.extend(rows);
        if self.rows.len() >= ROWS_OF_A_GROUP {
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

fn write_column<'cells, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    column: Column,
    cells: impl Iterator<Item = &'cells Cell>,
    read: fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let read: Vec<_> = cells.map(read).collect();
    let levels: Vec<_> = read.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<_> = read.into_iter().flatten().collect();
    if !column.nullable && values.len() != levels.len() {
        return Err(ParquetError::General(format!("a row has no value in {}", column.name)));
    }
    let missing = || ParquetError::General(format!("the file has no column {}", column.name));
    let mut writer = group.next_column()?.ok_or_else(missing)?;
    writer.typed::<T>().write_batch(&values, column.nullable.then_some(&levels[..]), None)?;
    writer.close()
}

fn moment(cell: &Cell) -> Option<i64> {
    if let Cell::Moment(moment) = cell { Some(moment.as_micros()) } else { None }
}

fn flag(cell: &Cell) -> Option<bool> {
    if let Cell::Flag(flag) = cell { Some(*flag) } else { None }
}

fn text(cell: &Cell) -> Option<ByteArray> {
    match cell {
        Cell::Text(text) => Some(text.as_bytes().to_vec().into()),
        Cell::Shared(text) => Some(text.as_bytes().to_vec().into()),
        Cell::Word(word) => Some((*word).into()),
        Cell::Texts(texts) => serde_json::to_vec(texts).ok().map(Into::into),
        Cell::Pairs(pairs) => serde_json::to_vec(pairs).ok().map(Into::into),
        Cell::Null | Cell::Flag(_) | Cell::Moment(_) => None,
    }
}

import fc from 'fast-check';
import { condition, maybe, mostly, placeholdersOf } from './condition-arbitrary.ts';
import { key } from './item-arbitrary.ts';

/** Random queries of the table and its indexes. */

const sortKeyCondition = (name: string) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), fc.constantFrom(':a', ':ab'))
      .map(([comparator, value]) => `${name} ${comparator} ${value}`),
    fc.constantFrom(`${name} BETWEEN :a AND :ab`, `begins_with(${name}, :a)`, `:a < ${name}`),
  );

const wrongSortKeyCondition = (name: string) =>
  fc.constantFrom(
    `${name} BETWEEN :ab AND :a`,
    `begins_with(${name}, :empty)`,
    `${name} <> :a`,
    `${name} < :one`,
    `NOT ${name} = :a`,
    'n = :one',
  );

const keyCondition = (partitionKey: string, sortKey: string) =>
  fc
    .tuple(
      fc.constantFrom(':p', ':q'),
      maybe(mostly(sortKeyCondition(sortKey), wrongSortKeyCondition(sortKey))),
    )
    .map(([partition, sort]) => {
      const inPartition = `${partitionKey} = ${partition}`;
      return sort === undefined ? inPartition : `${inPartition} AND ${sort}`;
    });

/** An index has nothing but keys to filter by. */
const keyFilter = fc.constantFrom('attribute_exists(pk)', '#sk = :a', 'pk <> :p OR #sk < :ab');

const rangeOf = (keys: fc.Arbitrary<string>, filter: fc.Arbitrary<string>, index?: string) =>
  fc.record({
    KeyConditionExpression: keys,
    FilterExpression: maybe(filter),
    IndexName: fc.constant(index),
  });

const range = fc.oneof(
  rangeOf(keyCondition('pk', '#sk'), condition),
  ...['gsi1', 'gsi2'].map((index) =>
    rangeOf(keyCondition(`${index}pk`, `${index}sk`), mostly(keyFilter, condition), index),
  ),
);

const page = fc.record({
  ScanIndexForward: maybe(fc.boolean()),
  Limit: maybe(fc.integer({ min: 1, max: 4 })),
  ExclusiveStartKey: mostly(fc.constant(undefined), key),
});

export const queriesOf = (TableName: string) =>
  fc.tuple(range, page).map(([keys, rest]) => ({
    TableName,
    ...keys,
    ...rest,
    ...placeholdersOf(keys.KeyConditionExpression, keys.FilterExpression),
  }));

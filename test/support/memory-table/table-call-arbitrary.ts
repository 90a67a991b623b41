import {
  BatchGetCommand,
  type BatchGetCommandInput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  type DeleteCommandInput,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { Table } from '#shared/table/table-client';
import { item, key } from './item-arbitrary.ts';
import { queriesOf } from './query-arbitrary.ts';
import { singleDeletes, singlePuts, singleUpdates, transactionsOn } from './write-arbitrary.ts';

/** A request to a table. */
export type RandomCall =
  | { readonly operation: 'get'; readonly input: GetCommandInput }
  | { readonly operation: 'batch get'; readonly input: BatchGetCommandInput }
  | { readonly operation: 'batch write'; readonly input: BatchWriteCommandInput }
  | { readonly operation: 'query'; readonly input: QueryCommandInput }
  | { readonly operation: 'put'; readonly input: PutCommandInput }
  | { readonly operation: 'update'; readonly input: UpdateCommandInput }
  | { readonly operation: 'delete'; readonly input: DeleteCommandInput }
  | { readonly operation: 'transact write'; readonly input: TransactWriteCommandInput };

export function send({ client }: Table, { operation, input }: RandomCall) {
  switch (operation) {
    case 'get':
      return client.send(new GetCommand(input));
    case 'batch get':
      return client.send(new BatchGetCommand(input));
    case 'batch write':
      return client.send(new BatchWriteCommand(input));
    case 'query':
      return client.send(new QueryCommand(input));
    case 'put':
      return client.send(new PutCommand(input));
    case 'update':
      return client.send(new UpdateCommand(input));
    case 'delete':
      return client.send(new DeleteCommand(input));
    case 'transact write':
      return client.send(new TransactWriteCommand(input));
  }
}

/** Calls to a table of that name, after some that fill it. */
export function tableSchedules(TableName: string): fc.Arbitrary<RandomCall[]> {
  const calls = fc.oneof<fc.WeightedArbitrary<RandomCall>[]>(
    { weight: 4, arbitrary: singlePuts(TableName).map((input) => ({ operation: 'put', input })) },
    {
      weight: 6,
      arbitrary: singleUpdates(TableName).map((input) => ({ operation: 'update', input })),
    },
    {
      weight: 2,
      arbitrary: singleDeletes(TableName).map((input) => ({ operation: 'delete', input })),
    },
    {
      weight: 4,
      arbitrary: transactionsOn(TableName).map((input) => ({ operation: 'transact write', input })),
    },
    { weight: 5, arbitrary: queriesOf(TableName).map((input) => ({ operation: 'query', input })) },
    { weight: 1, arbitrary: key.map((Key) => ({ operation: 'get', input: { TableName, Key } })) },
    {
      weight: 1,
      arbitrary: batches(TableName).map((input) => ({ operation: 'batch get', input })),
    },
    {
      weight: 1,
      arbitrary: batchWrites(TableName).map((input) => ({ operation: 'batch write', input })),
    },
  );
  const fill = item.map((Item): RandomCall => ({ operation: 'put', input: { TableName, Item } }));
  return fc
    .tuple(fc.array(fill), fc.array(calls, { minLength: 1, maxLength: 20, size: 'max' }))
    .map(([first, rest]) => [...first, ...rest]);
}

const few = { minLength: 1, maxLength: 4 };

const batches = (TableName: string) =>
  fc.array(key, few).map((Keys) => ({ RequestItems: { [TableName]: { Keys } } }));

const batchWrites = (TableName: string) =>
  fc
    .array(
      fc.oneof(
        item.map((Item) => ({ PutRequest: { Item } })),
        key.map((Key) => ({ DeleteRequest: { Key } })),
      ),
      few,
    )
    .map((requests) => ({ RequestItems: { [TableName]: requests } }));

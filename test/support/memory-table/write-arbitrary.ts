import fc from 'fast-check';
import type { TransactWriteItem } from './commands.ts';
import { condition, maybe, placeholdersOf } from './condition-arbitrary.ts';
import { item, key } from './item-arbitrary.ts';
import { update } from './update-arbitrary.ts';

/** Random writes, alone and in transactions. */

/** What a write requires, and what it wants back when the condition fails. */
const requirements = fc.record({
  ConditionExpression: maybe(condition),
  ReturnValuesOnConditionCheckFailure: maybe(fc.constantFrom('ALL_OLD', 'NONE')),
});

const oldValues = fc.record({ ReturnValues: maybe(fc.constantFrom('NONE', 'ALL_OLD')) });
const anyValues = fc.record({
  ReturnValues: maybe(fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW')),
});

const requirementsOf = (TableName: string) =>
  requirements.map((required) => ({
    TableName,
    ...required,
    ...placeholdersOf(required.ConditionExpression),
  }));

const putsTo = (TableName: string) =>
  fc.tuple(requirementsOf(TableName), item).map(([request, Item]) => ({ ...request, Item }));

const deletesOf = (TableName: string) =>
  fc.tuple(requirementsOf(TableName), key).map(([request, Key]) => ({ ...request, Key }));

const updatesOf = (TableName: string) =>
  fc.tuple(requirementsOf(TableName), key, update).map(([request, Key, UpdateExpression]) => ({
    ...request,
    ...placeholdersOf(request.ConditionExpression, UpdateExpression),
    Key,
    UpdateExpression,
  }));

const checksOf = (TableName: string) =>
  fc.tuple(key, condition).map(([Key, ConditionExpression]) => ({
    TableName,
    Key,
    ConditionExpression,
    ...placeholdersOf(ConditionExpression),
  }));

export const singlePuts = (TableName: string) =>
  fc.tuple(putsTo(TableName), oldValues).map(([put, values]) => ({ ...put, ...values }));

export const singleDeletes = (TableName: string) =>
  fc
    .tuple(deletesOf(TableName), oldValues)
    .map(([deletion, values]) => ({ ...deletion, ...values }));

export const singleUpdates = (TableName: string) =>
  fc.tuple(updatesOf(TableName), anyValues).map(([change, values]) => ({ ...change, ...values }));

export function transactionsOn(TableName: string) {
  const write: fc.Arbitrary<TransactWriteItem> = fc.oneof(
    putsTo(TableName).map((Put) => ({ Put })),
    updatesOf(TableName).map((Update) => ({ Update })),
    deletesOf(TableName).map((Delete) => ({ Delete })),
    checksOf(TableName).map((ConditionCheck) => ({ ConditionCheck })),
  );
  const several = { minLength: 1, maxLength: 4, selector: keyTextOf };
  return fc.record({
    TransactItems: fc.uniqueArray(write, several),
    // Another transaction under the token would be refused, so it is not made smaller.
    ClientRequestToken: maybe(fc.noShrink(fc.uuid())),
  });
}

const keyTextOf = ({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): string =>
  JSON.stringify(Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key, ['pk', 'sk']);

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeService } from '../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';

const file = join(import.meta.dirname, 'released-operations.txt');

const operations = (): string[] =>
  Object.entries(describeService(routedEndpoints).paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    )
    .toSorted();

const whatToDo = `
Generated clients name their methods after operation ids: if an id changes, a program no longer compiles with the next
version of its client. An id is made from the name of the endpoint's folder, so keep that name. Callers also depend on
the method and path.`;

it('an update from the last release keeps the id, method and path of every operation', () => {
  const now = new Set(operations());
  const released = readFileSync(file, 'utf8').trim().split('\n');

  const missing = released.filter((one) => !now.has(one));

  expect(missing, whatToDo).toEqual([]);
});

// A release freezes what it adds: FREEZE_IDS=1 npx vitest run released-ids released-operations
it.runIf(process.env['FREEZE_IDS'])('freezes the operations', () => {
  writeFileSync(file, `${operations().join('\n')}\n`);
});

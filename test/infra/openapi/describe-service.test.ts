import { describe, expect, it } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import { describeService } from '../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';
import { methods, type Schema } from '../../../infra/openapi/openapi-types.ts';

const document = describeService(routedEndpoints);

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ key: `${method.toUpperCase()} ${path}`, operation }];
  }),
);
const messages = Object.entries(document.webhooks).flatMap(([key, { post }]) =>
  post === undefined ? [] : [{ key, operation: post }],
);

describe('the description', () => {
  it('has every route of the table, and nothing else', () => {
    const expected = routes.map(({ method, path }) => `${method} ${path.replace('+}', '}')}`);

    expect(operations.map(({ key }) => key).toSorted()).toEqual(expected.toSorted());
  });

  it('names every operation once', () => {
    const ids = [...operations, ...messages].map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each([...operations, ...messages])('the description of $key', ({ operation }) => {
  const { parameters = [], requestBody, responses } = operation;
  const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
    Object.values(one?.content ?? {}),
  );

  it('has words for every parameter and every field', () => {
    const unnamed = parameters.filter(({ description }) => description === '');

    expect(unnamed.map(({ name }) => name)).toEqual([]);
    expect(contents.flatMap(({ schema }) => fieldsWithoutWords(schema))).toEqual([]);
  });
});

/** Their paths. */
function fieldsWithoutWords(schema: Schema, path: readonly string[] = []): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description === undefined && schema['$ref'] === undefined
      ? [[...path, name].join('.')]
      : []),
    ...fieldsWithoutWords(property, [...path, name]),
  ]);
  const inner = [schema.items, ...(schema.anyOf ?? [])].flatMap((one) =>
    one === undefined ? [] : fieldsWithoutWords(one, path),
  );
  return [...new Set([...own, ...inner])];
}

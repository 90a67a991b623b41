import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import { methods } from '../../../infra/openapi/openapi-types.ts';
import { describeThisService, fieldsWithoutWords } from './description.ts';

const document = await describeThisService();

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
    const wanted = routes.map(({ method, path }) => `${method} ${path.replace('+}', '}')}`);

    expect(operations.map(({ key }) => key).toSorted()).toEqual(wanted.toSorted());
  });

  it('names every operation once', () => {
    const ids = [...operations, ...messages].map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('passes a public linter without a warning', async () => {
    // A redirect is a success, and the only one that a tracked link has.
    const rules = { 'operation-2xx-response': 'off' } as const;
    const config = await createConfig({ extends: ['recommended-strict'], rules });

    const problems = await lintFromString({ source: JSON.stringify(document), config });

    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
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

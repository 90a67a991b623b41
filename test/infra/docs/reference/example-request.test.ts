import { describe, expect, it } from 'vitest';
import { exampleRequest } from '../../../../infra/docs/reference/example-request.ts';
import { describeService } from '../../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../../infra/openapi/endpoints.ts';
import { methods, type Operation } from '../../../../infra/openapi/openapi-types.ts';

const operation = (fields: Partial<Operation> = {}): Operation => ({
  ...{ operationId: 'x', tags: [], summary: 'x', description: 'x', security: [], responses: {} },
  ...fields,
});
const text = { type: 'string' };

describe('an example request', () => {
  it('is a command line with path, query, headers, key and body', () => {
    const { sh: command } = exampleRequest(
      'put',
      '/things/{id}',
      operation({
        security: [{ apiKey: ['send_email'] }, { apiKeyHeader: ['send_email'] }],
        parameters: [
          { name: 'id', in: 'path', description: '', required: true, schema: text, example: 't1' },
          {
            name: 'limit',
            in: 'query',
            description: '',
            required: false,
            schema: text,
            example: 5,
          },
          { name: 'cursor', in: 'query', description: '', required: false, schema: text },
          {
            ...{ name: 'If-Match', in: 'header', description: '', required: false },
            ...{ schema: text, example: '"1"' },
          },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: {}, example: { a: 1 } } },
        },
      }),
    );

    expect(command.split(' \\\n  ')).toEqual([
      'curl -X PUT "$BASE/things/t1?limit=5"',
      '-H "Authorization: Bearer $KEY"',
      `-H 'If-Match: "1"'`,
      "-H 'Content-Type: application/json'",
      `-d '{\n  "a": 1\n}'`,
    ]);
  });

  it.each([
    ['get', 'curl "$BASE/x"'],
    ['head', 'curl --head "$BASE/x"'],
    ['post', 'curl -X POST "$BASE/x"'],
    ['delete', 'curl -X DELETE "$BASE/x"'],
  ])('names the method %s if curl would choose another', (method, command) => {
    expect(exampleRequest(method, '/x', operation()).sh).toBe(command);
  });

  it('sends a form as a form', () => {
    const { sh: command } = exampleRequest(
      'post',
      '/x',
      operation({
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: {}, example: { a: ['1', '2'], b: '3' } },
          },
        },
      }),
    );

    expect(command).toContain("-d 'a=1&a=2&b=3'");
  });

  it('sends a CSV file unchanged', () => {
    const content = { 'text/csv': { schema: {}, example: 'email\nbob@example.com\n' } };

    const { sh: command } = exampleRequest(
      'post',
      '/x',
      operation({ requestBody: { required: true, content } }),
    );

    expect(command).toContain("--data-binary 'email\nbob@example.com\n'");
  });

  it('shows the header of the cron secret', () => {
    const { sh: command } = exampleRequest(
      'get',
      '/x',
      operation({ security: [{ cronSecret: [] }] }),
    );

    expect(command).toContain('-H "X-Cron-Secret: $CRON_SECRET"');
  });

  const { paths } = describeService(routedEndpoints);
  const withCredential = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const one = item[method];
      const [first = {}] = one?.security ?? [];
      const isNeeded = Object.keys(first).some((name) => name !== 'session');
      return one && isNeeded ? [{ method, path, one }] : [];
    }),
  );

  it.each(withCredential)('has a credential: $method $path', ({ method, path, one }) => {
    const { sh: command } = exampleRequest(method, path, one);

    expect(command).toMatch(/-H "[\w-]+: (?:Bearer )?\$(?:KEY|OPERATOR|CRON_SECRET)"/);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unsupported } from '#shared/resend/unsupported-routes';
import { endpointOf, routes } from '../functions/routes.ts';
import { describeSchema } from '../infra/openapi/describe-schema.ts';
import type { Schema } from '../infra/openapi/document.ts';

// functions/RESEND.md tells of every route and field under `/resend`, of nothing else, and who shows that it works.

const document = readFileSync('functions/RESEND.md', 'utf8');
const judges = globSync(['test/e2e/resend-*.test.ts', 'test/judges/{client,resend}*']).map((file) =>
  readFileSync(file, 'utf8').replaceAll("', '", ' '),
);

/** The rows of the tables under a heading. */
const rowsOf = (heading: string) =>
  (document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, first = '', ...others] = line.split(' | ').map((cell) => cell.replace(/^\| /, ''));
      return { first: line.slice(3, line.indexOf('`', 3)), last: others.at(-1) ?? first };
    });

const declared = routes
  .filter(({ path }) => path.startsWith('/resend/'))
  .map(({ method, path, functionName }) => ({
    name: `${method} ${path.slice('/resend'.length)}`,
    section: path.split('/')[2] ?? '',
    body: endpointOf(functionName).body,
  }));
const sections = {
  emails: 'Emails',
  domains: 'Domains',
  'api-keys': 'API keys',
  webhooks: 'Webhooks',
  suppressions: 'Suppressions',
  templates: 'Templates',
};

function fieldsIn({ properties = {}, items, anyOf = [] }: Schema, at = ''): string[] {
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    `${at}${name}`,
    ...fieldsIn(inner, `${at}${name}.`),
  ]);
  return [...own, ...[items, ...anyOf].flatMap((inner) => (inner ? fieldsIn(inner, at) : []))];
}

describe.each(Object.entries(sections))('%s', (section, heading) => {
  const rows = rowsOf(heading);
  const own = declared.filter((route) => route.section === section);
  const isRoute = ({ first }: { readonly first: string }) => first.includes(' /');

  it('has a row for each route, and no other', () => {
    const named = rows.filter(isRoute).map(({ first }) => first);

    expect(named.toSorted()).toEqual(own.map(({ name }) => name).toSorted());
  });

  it('names calls of judges that there are', () => {
    for (const { first, last } of rows.filter(isRoute)) {
      const calls = [...last.matchAll(/`([^`]+)`/g)].map(([, call = '']) => call);
      const missing = calls.filter((call) => !judges.some((text) => text.includes(call)));
      expect({ first, calls: calls.length > 0, missing }).toEqual({
        first,
        calls: true,
        missing: [],
      });
    }
  });

  it('has a row for each field of a body, and no other', () => {
    const fields = own.flatMap(({ body }) =>
      body ? fieldsIn(describeSchema(body, 'input', {})) : [],
    );

    const named = rows.filter((row) => !isRoute(row)).map(({ first }) => first);
    expect(named.toSorted()).toEqual([...new Set(fields)].toSorted());
  });
});

it('has a section for every resource', () => {
  expect(new Set(declared.map(({ section }) => section))).toEqual(new Set(Object.keys(sections)));
});

it('says what Resend has and this service does not', () => {
  const wanted = unsupported.map(({ paths: [path] }) => path);

  expect(rowsOf('Not here').map(({ first }) => first)).toEqual(wanted);
});

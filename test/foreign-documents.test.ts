import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { matchPath } from '#shared/http/match-path';
import { resendEventNames } from '#shared/organizations/webhook-subscriptions';
import { inactiveRecipient, postmarkErrorOf, tooMany } from '#shared/postmark/postmark-error';
import { postmarkApi } from '#shared/postmark/unsupported-routes';
import { resendApi } from '#shared/resend/unsupported-routes';
import { endpointOf, routes } from '../functions/routes.ts';
import { describeSchema } from '../infra/openapi/describe-schema.ts';
import { errorCodesOf } from '../infra/openapi/error-codes.ts';
import type { Schema } from '../infra/openapi/openapi-types.ts';

// functions/RESEND.md and POSTMARK.md have a row for each route, field and message of that API, and no other. Each says
// who shows that it works.

const apis = [
  {
    ...resendApi,
    file: 'functions/RESEND.md',
    client: ['resend/dist/index.mjs'],
    /** What its routes begin with, and the heading of their section. */
    sections: {
      emails: 'Emails',
      domains: 'Domains',
      'api-keys': 'API keys',
      webhooks: 'Webhooks',
      suppressions: 'Suppressions',
      templates: 'Templates',
    },
  },
  {
    ...postmarkApi,
    file: 'functions/POSTMARK.md',
    client: ['postmark/dist/client/ServerClient.js', 'postmark/dist/client/AccountClient.js'],
    sections: { email: 'Sending', messages: 'Messages', bounces: 'Bounces' },
  },
];

/** The rows of the tables under a heading. */
const rowsOf = (document: string, heading: string) =>
  (document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, first = '', ...others] = line.split(' | ').map((cell) => cell.replace(/^\| /, ''));
      return { first: line.slice(3, line.indexOf('`', 3)), last: others.at(-1) ?? first };
    });

function fieldsIn({ properties = {}, items, anyOf = [] }: Schema, at = ''): string[] {
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    `${at}${name}`,
    ...fieldsIn(inner, `${at}${name}.`),
  ]);
  return [...own, ...[items, ...anyOf].flatMap((inner) => (inner ? fieldsIn(inner, at) : []))];
}

const isRoute = ({ first }: { readonly first: string }) => first.includes(' /');

/** What each judge does, by the name that the document gives it. */
const judgesOf = (document: string): ReadonlyMap<string, string> =>
  new Map(
    [...document.matchAll(/^\| (\w+) \| `(test\/[^`]+)`: /gm)].map(([, name = '', files = '']) => [
      name,
      globSync(files)
        .map((judge) => readFileSync(judge, 'utf8').replaceAll("', '", ' '))
        .join('\n'),
    ]),
  );

/** `reply_to`, `replyTo` and `ReplyTo` are one name, in the languages of the clients. */
const plain = (text: string): string => text.replaceAll(/[_-]/g, '').toLowerCase();

/** The paths that a client's source names, with `any` for the parts it fills in and without queries. */
const pathsIn = (source: string): readonly string[] => {
  const filled = source
    .replaceAll(/\/\$\{[^}]*\}/g, '/any')
    .replaceAll(/(?<!`)\$\{[^}]*\}/g, '')
    .replaceAll(/\/"\.concat\(\w+\)/g, '/any"')
    .replaceAll(/\/"\.concat\(\w+, "/g, '/any');
  return [...filled.matchAll(/["`](\/[a-z][^"`\s?]*)/gi)].map(([, path = '']) => path);
};

describe.each(apis)('$file', ({ file, client, prefix, sections, unsupported }) => {
  const document = readFileSync(file, 'utf8');
  const judges = judgesOf(document);
  const all = [...judges.values()].join('\n');
  const declared = routes
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map(({ method, path, functionName }) => ({
      name: `${method} ${path.slice(prefix.length)}`,
      section: path.split('/')[2] ?? '',
      body: endpointOf(functionName).body,
    }));

  describe.each(Object.entries(sections))('%s', (section, heading) => {
    const rows = rowsOf(document, heading);
    const own = declared.filter((route) => route.section === section);

    it('has a row for each route, and no other', () => {
      const named = rows.filter(isRoute).map(({ first }) => first);

      expect(named.toSorted()).toEqual(own.map(({ name }) => name).toSorted());
    });

    it('names calls of judges that there are', () => {
      for (const { first, last } of rows.filter(isRoute)) {
        const calls = [...last.matchAll(/`([^`]+)`/g)].map(([, call = '']) => call);
        const missing = calls.filter((call) => !all.includes(call));
        expect({ first, calls: calls.length > 0, missing }).toEqual({
          first,
          calls: true,
          missing: [],
        });
      }
    });

    it('has a row for each field of a body, and no other', () => {
      const fields = own
        .flatMap(({ body }) => (body ? fieldsIn(describeSchema(body, 'input', {})) : []))
        // A batch within an object has the fields of one without.
        .map((field) => field.replace(/^Messages\./, ''));

      const named = rows.filter((row) => !isRoute(row)).map(({ first }) => first);
      expect(named.toSorted()).toEqual([...new Set(fields)].toSorted());
    });
  });

  it('names a judge of each field and message that has its name in it', () => {
    const rows = [...Object.values(sections), 'Messages of webhooks'].flatMap((heading) =>
      rowsOf(document, heading).filter((row) => !isRoute(row)),
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { first, last } of rows) {
      const name = plain(first.slice(first.lastIndexOf('.') + 1));
      const named = last.replace(/ \|$/, '').split(', ');
      const silent = named.filter((one) => !plain(judges.get(one) ?? '').includes(name));
      expect({ first, silent }).toEqual({ first, silent: [] });
    }
  });

  it('has a section for every resource', () => {
    const found = new Set(declared.map(({ section }) => section));

    expect(found).toEqual(new Set(Object.keys(sections)));
  });

  it('says of each path that the other service’s client asks for whether it is here', () => {
    const here = declared.map(({ name }) => name.slice(name.indexOf('/')));
    const known = [...here, ...unsupported.flatMap(({ paths }) => paths)];
    const sources = client.map((one) => readFileSync(`node_modules/${one}`, 'utf8'));
    const asked = sources.flatMap(pathsIn);

    expect(asked.length).toBeGreaterThan(50);
    const unknown = asked.filter((path) => !known.some((one) => matchPath(one, path)));
    expect(unknown).toEqual([]);
  });

  it('says what the other service has and this one does not', () => {
    const expected = unsupported.map(({ paths: [path] }) => path);

    expect(rowsOf(document, 'Not here').map(({ first }) => first)).toEqual(expected);
  });
});

it('functions/RESEND.md has a row for each message of a webhook', () => {
  const rows = rowsOf(readFileSync('functions/RESEND.md', 'utf8'), 'Messages of webhooks');

  const named = rows.map(({ first }) => first);
  expect(named.toSorted()).toEqual(Object.values(resendEventNames).toSorted());
});

it('functions/POSTMARK.md has a row for each number of an error', () => {
  const rows = readFileSync('functions/POSTMARK.md', 'utf8').matchAll(/^\| (\d+) \| \d+ \|/gm);
  const codes = routes
    .filter(({ path }) => path.startsWith('/postmark/'))
    .flatMap(({ functionName }) => errorCodesOf(endpointOf(functionName)));
  const ofAll = codes.map((code) => postmarkErrorOf(new ServiceError(code, '')).ErrorCode);

  const others = [postmarkErrorOf(tooMany(1)).ErrorCode, inactiveRecipient];
  const known = [...ofAll, ...others];
  expect(new Set([...rows].map(([, number]) => Number(number)))).toEqual(new Set(known));
});

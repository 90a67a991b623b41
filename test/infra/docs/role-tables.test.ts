import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Role, roles } from '#shared/access/roles';
import { endpointsForPeople, rolesThatMay } from '../../../infra/docs/role-tables.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';

const file = join(import.meta.dirname, 'roles.txt');

/** A line for each endpoint, with a column for each role. */
const written = (): string =>
  endpointsForPeople
    .map(({ at, access }) => {
      const may = rolesThatMay(access);
      const columns = roles.map((role) => (may.includes(role) ? role : '-').padEnd(10));
      return `${at.key.padEnd(70)} ${columns.join('')}`.trimEnd();
    })
    .join('\n');

const whatToDo = `
This changes what people may do. If that's meant: FREEZE_ROLES=1 npx vitest run role-tables, and have the difference
reviewed.`;

it('every role may use exactly the endpoints that the reviewed list gives it', () => {
  expect(written(), whatToDo).toBe(readFileSync(file, 'utf8').trimEnd());
});

it.runIf(process.env['FREEZE_ROLES'])('writes the list', () => {
  writeFileSync(file, `${written()}\n`);
});

const routesOf = (role: Role): readonly string[] =>
  endpointsForPeople
    .filter(({ access }) => rolesThatMay(access).includes(role))
    .map(({ at }) => at.key);

/** They answer what was sent to them, and store nothing. */
const onlyReading = ['POST /api/v1/templates/{id}/render', 'POST /console/preview'];

describe('a viewer', () => {
  it('changes nothing', () => {
    const changing = routesOf('viewer').filter((route) => !route.startsWith('GET '));

    expect(changing).toEqual(onlyReading);
  });

  it('reads no kept content and exports nothing', () => {
    const withheld = routesOf('viewer').filter((route) => /\/(?:content|export)$/.test(route));

    expect(withheld).toEqual([]);
  });

  it('may do only what every other role may do', () => {
    for (const role of roles) {
      expect(routesOf(role)).toEqual(expect.arrayContaining([...routesOf('viewer')]));
    }
  });
});

describe('an admin', () => {
  it('may use every endpoint that takes a key, except to make sign-in links', () => {
    const takingKeys = routedEndpoints.filter(({ access }) => typeof access === 'object');
    const refused = takingKeys.filter(({ at }) => !routesOf('admin').includes(at.key));

    expect(refused.map(({ at }) => at.key)).toEqual(['POST /console/links']);
  });

  it.each([
    ['people', /^\w+ \/api\/v1\/people/],
    ['the audit', / \/api\/v1\/audit/],
    // One person's data goes to that person: whoever erases people exports them.
    ['exports of whole lists', /(?<!\{email\})\/export$/],
    ['imports', /\/import$/],
    ['changes of settings', /^(?!GET)\w+ \/api\/v1\/(?:organization|policies|categories)/],
    ['changes of domains', /^(?!GET)\w+ (?:\/api\/v1|\/resend)\/domains/],
  ])('alone has %s', (_, routes) => {
    const matching = endpointsForPeople.filter(({ at }) => routes.test(at.key));

    expect(matching).not.toEqual([]);
    expect(matching.map(({ access }) => rolesThatMay(access))).toEqual(
      matching.map(() => ['admin']),
    );
  });
});

it.each(['viewer', 'developer'] as const)('a session of a %s sends and cancels nothing', (role) => {
  const sending = routesOf(role).filter((route) =>
    /^(?:POST|PATCH) .*\/(?:emails|sends|email)(?:\/|$)/.test(route),
  );

  expect(sending).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { errors } from '../../../shared/errors/errors.ts';
import { fakeFetch, manage, twin } from '../../support/manage-builder.ts';

const endpoint = {
  id: 'whk_c5h7ypcyy3xvenflu2kfi3cihhk3qjyl',
  url: 'https://example.com/hooks',
  eventTypes: [],
  description: '',
  enabled: true,
  health: { status: 'well', exhausted: 0, delivered: 0, exhaustedShare: 0, outlook: 'Well.' },
  createdAt: 1,
  updatedAt: 1,
};

describe('the command line', () => {
  it.each([
    ['webhook', 'webhooks'],
    ['webhooks lsit', 'list'],
    ['webhooks list --jsno', '--json'],
    ['webhooks listen --forward-to x --events email.bounce', 'email.bounced'],
  ])('suggests what %s was probably meant to be', async (line, meant) => {
    const { exitCode, words, output } = await manage(line, twin);

    expect(words).toMatch(new RegExp(`Did you mean ${meant}\\?`));
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
  });

  it.each([
    ['keys create --nam billing', '--name'],
    ['keys create', "'--name <name>' is missing"],
    ['keys update key_x', 'Nothing to change'],
    ['sends show', "missing required argument 'id'"],
    ['sends', 'No command given'],
    ['orgnizations list', 'organizations'],
    ['policies set x --kind bluk', 'Did you mean bulk?'],
    ['suppressions lift ann@example.com', '--yes'],
    ['organizations create Acme', "'create' takes no argument Acme. Did you mean --name Acme?"],
    ['keys create --name a b$c', "'create' takes no argument 'b$c'."],
    ['webhooks list all', "'list' takes no argument all."],
    ['requests lsit', 'Allowed choices are list.'],
    ['sends list --status bounced', 'That is an outcome: --outcome bounced.'],
  ])('explains what is wrong with %s, also in JSON', async (line, reason) => {
    const { exitCode, words, output } = await manage(`${line} --json`, twin);

    expect(JSON.parse(words)).toEqual({
      code: 'usage',
      detail: expect.stringContaining(reason),
      exitCode: 2,
    });
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
  });

  it.each(['--help', 'help', 'webhooks --help', 'sends show --help'])('shows %s', async (line) => {
    const { exitCode, output, words } = await manage(line);

    expect(output).toContain('Usage: npm run manage --');
    expect({ exitCode, words }).toEqual({ exitCode: 0, words: '' });
  });

  it.each([
    ['requests list', 'requests', { data: [], nextCursor: null }],
    ['audit list', 'audit', { data: [], nextCursor: null }],
    ['identity show', 'identity status', { domain: 'a.example', status: 'active' }],
    [
      'recipients show a@b.example',
      'recipients why a@b.example',
      { email: 'a@b.example', obstacles: [] },
    ],
  ])('reads %s as %s', async (line, meant, body) => {
    const { fetch } = fakeFetch({ body }, { body });

    const first = await manage(line, { ...twin, fetch });
    const second = await manage(meant, { ...twin, fetch });

    expect(first).toEqual(second);
    expect(first.exitCode).toBe(0);
  });

  it('accepts any number of values for variadic arguments', async () => {
    const { words } = await manage('organizations limits org_1 apiKeys=5 apiKeys=many', twin);

    expect(words).toContain("apiKeys=many isn't a limit");
  });

  it('prints a link that signs in to the console', async () => {
    const expiresAt = 1_750_000_600_000;
    const { fetch, asked } = fakeFetch({
      status: 201,
      body: { path: '/console/sign-in#esl_x', expiresAt },
    });

    const { exitCode, output, words } = await manage('console link', { ...twin, fetch });

    expect(asked).toMatchObject([{ method: 'POST', url: 'http://127.0.0.1:3000/console/links' }]);
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: 'http://127.0.0.1:3000/console/sign-in#esl_x\n',
    });
    expect(words).toContain('once');
  });

  it('prints data separately from messages', async () => {
    const { fetch } = fakeFetch({ body: { data: [] } });

    const { exitCode, output, words } = await manage('webhooks list', { ...twin, fetch });

    expect({ exitCode, output, words }).toEqual({
      exitCode: 0,
      output: '',
      words: 'No webhook endpoints.\n',
    });
  });

  it("prints the API's answer as JSON, including fields unknown to this checkout", async () => {
    const { fetch } = fakeFetch({ body: { data: [{ ...endpoint, news: 1 }] } });

    const { output } = await manage('webhooks list --json', { ...twin, fetch });

    expect(JSON.parse(output)).toEqual({ data: [{ ...endpoint, news: 1 }] });
  });

  it.each([
    ['on a terminal', { isTerminal: true }, '', true],
    ['not in a pipe', {}, '', false],
    ['not with --no-color', { isTerminal: true }, '--no-color', false],
    ['not with NO_COLOR', { isTerminal: true, environment: { NO_COLOR: '1' } }, '', false],
    ['not on a dumb terminal', { isTerminal: true, environment: { TERM: 'dumb' } }, '', false],
  ])('shows colours %s', async (_, surroundings, options, isColoured) => {
    const { fetch } = fakeFetch({ body: { data: [endpoint] } });

    const { output } = await manage(`webhooks list ${options}`, {
      ...twin,
      fetch,
      ...surroundings,
    });

    expect(output.includes('\u001b[')).toBe(isColoured);
  });
});

describe('an API error', () => {
  const problem = {
    code: 'validation_failed',
    detail: 'The request is not valid.',
    requestId: 'req-1',
    errors: [{ path: 'url', message: 'must begin with https://' }],
  };

  it('is shown with its code, its fields and the request id', async () => {
    const { fetch } = fakeFetch({ status: 400, body: problem });

    const { words } = await manage('webhooks list', { ...twin, fetch });

    expect(words).toBe(
      "The request isn't valid.\n  url: must begin with https://\n  validation_failed, request req-1\n",
    );
  });

  it('is JSON on standard error when JSON is asked for', async () => {
    const { fetch } = fakeFetch({ status: 400, body: problem });

    const { output, words } = await manage('webhooks list --json', { ...twin, fetch });

    expect(JSON.parse(words)).toEqual({ ...problem, status: 400, exitCode: 2 });
    expect(output).toBe('');
  });

  it.each([
    [400, 2],
    [401, 4],
    [402, 1],
    [403, 4],
    [404, 3],
    [405, 1],
    [409, 5],
    [412, 5],
    [413, 2],
    [422, 2],
    [429, 6],
    [500, 6],
    [503, 6],
  ])('with status %i exits with %i', async (status, expected) => {
    const { fetch } = fakeFetch({ status, body: problem, headers: { 'retry-after': '1' } });

    const { exitCode } = await manage('webhooks list', { ...twin, fetch });

    expect(exitCode).toBe(expected);
  });

  it('may come from HTTP API itself, without a code', async () => {
    const headers = { 'x-request-id': 'req-2', 'content-type': 'application/json' };
    const { fetch } = fakeFetch({ status: 503, body: { message: 'Service Unavailable' }, headers });

    const { exitCode, words } = await manage('webhooks list', { ...twin, fetch });

    expect(exitCode).toBe(6);
    expect(words).toContain('http_503, request req-2');
  });

  it('includes what to type next, in the form the command was called', async () => {
    const notFound = { code: 'identity_not_found', detail: 'The organization has none.' };
    const { fetch } = fakeFetch({ status: 404, body: notFound });

    const { words } = await manage('identity status --local', {
      ...{ ...twin, fetch, environment: { PORT: '8790' } },
    });

    expect(words).toContain(
      '→ PORT=8790 npm run manage -- identity set --domain … --from-email … --local\n',
    );
  });

  const naming = Object.entries(errors).filter(([, { meaning }]) => /`[A-Z]+ \/api/.test(meaning));

  it.each(naming)('names commands where the API names endpoints: %s', async (code, { meaning }) => {
    const { fetch } = fakeFetch({ status: 404, body: { code, detail: meaning } });

    const { words } = await manage('domains verify nope.example', { ...twin, fetch });

    const [detail = ''] = words.split('\n');
    const commands = [...detail.matchAll(/`([a-z-]+ [a-z]+)`/g)].map(([, command]) => `${command}`);
    expect(detail).not.toMatch(/[A-Z] \/api/);
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      expect((await manage(`${command} --help`)).output).toContain(`manage -- ${command} `);
    }
  });

  it("can be that the twin isn't running", async () => {
    const refuse = () => Promise.reject(new TypeError('fetch failed'));

    const { exitCode, words } = await manage('webhooks list', { ...twin, fetch: refuse });

    expect(exitCode).toBe(6);
    expect(words).toContain('npm start');
  });
});

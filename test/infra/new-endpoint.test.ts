import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeEndpoint, nameOf, parseRoute } from '../../infra/new-endpoint.ts';

const repository = resolve(import.meta.dirname, '../..');

/**
 * A folder with nothing but the list of endpoints. It is in the repository, as imports of `#shared` start from there.
 */
function emptyRoot(): string {
  mkdirSync(join(repository, '.local'), { recursive: true });
  const root = mkdtempSync(join(repository, '.local/new-endpoint-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'functions'));
  copyFileSync(join(repository, 'functions/endpoints.ts'), join(root, 'functions/endpoints.ts'));
  return root;
}

const linesOf = (root: string, path: string) => readFileSync(join(root, path), 'utf8').split('\n');

describe('nameOf', () => {
  it.each([
    ['GET /api/v1/webhooks', 'list-webhooks'],
    ['GET /api/v1/webhooks/{id}', 'get-webhook'],
    ['GET /api/v1/webhooks/{id}/health', 'get-webhook-health'],
    ['GET /api/v1/webhooks/{id}/deliveries', 'list-webhook-deliveries'],
    ['POST /api/v1/webhooks', 'create-webhook'],
    ['PUT /api/v1/policies/{key}', 'put-policy'],
    ['PATCH /api/v1/organization/settings', 'update-organization-settings'],
    ['DELETE /api/v1/addresses/{address}', 'delete-address'],
    ['GET /api/v1/usage', 'get-usage'],
    ['GET /api/v1/status', 'get-status'],
    ['GET /api/v1/organization/settings', 'get-organization-settings'],
  ])('splits %s into a verb and a noun', (route, name) => {
    expect(nameOf(parseRoute(route))).toBe(name);
  });
});

describe('makeEndpoint', () => {
  it('makes compiling endpoints for every method', () => {
    const root = emptyRoot();
    for (const route of [
      'GET /api/v1/webhooks/{id}/health',
      'GET /api/v1/webhooks/{id}/colours',
      'POST /api/v1/colours',
      'PUT /api/v1/colours/{name}',
      'PATCH /api/v1/organizations/{id}/colours/{name}',
      'DELETE /api/v1/colours',
    ]) {
      makeEndpoint(root, parseRoute(route));
    }
    // The list imports endpoints that aren't here.
    rmSync(join(root, 'functions/endpoints.ts'));
    writeFileSync(
      join(root, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', include: ['.'] }),
    );

    expect(() =>
      execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', root], { stdio: 'pipe' }),
    ).not.toThrow();
  });

  it('lists an endpoint after the one with the most similar path, and shares its section and stack', () => {
    const root = emptyRoot();

    makeEndpoint(root, parseRoute('GET /api/v1/organizations/{id}/colour'), 'see-colour');

    const list = linesOf(root, 'functions/endpoints.ts').filter((line) => line.includes('import('));
    const at = list.findIndex((line) => line.startsWith("  'see-colour':"));
    expect(list[at - 1]).toContain("'get-organization'");
    const declaration = linesOf(root, 'functions/see-colour/see-colour.ts').map((one) =>
      one.trim(),
    );
    expect(declaration).toContain("access: 'operator',");
    expect(declaration).toContain("section: 'Operator',");
  });

  it('names its resource like the endpoints beside it', () => {
    const root = emptyRoot();
    const linesFor = (route: string, name: string) => {
      makeEndpoint(root, parseRoute(route), name);
      return linesOf(root, `functions/${name}/${name}.ts`).map((line) => line.trim());
    };

    const own = linesFor('GET /api/v1/webhooks/{id}/colour', 'get-colour');
    expect(own).toContain('...webhookPath,');
    const read = linesFor('GET /api/v1/sends/{id}/colour', 'get-send-colour');
    expect(read.join()).not.toContain('send_email');
    const further = linesFor('GET /api/v1/webhooks/{id}/colours/{name}', 'get-shade');
    expect(further).toContain('path: z.object({ id: z.string(), name: z.string() }),');
  });

  it('makes a failing test', () => {
    const root = emptyRoot();

    const paths = makeEndpoint(root, parseRoute('GET /api/v1/colours'));

    const path = 'test/functions/list-colours/list-colours.test.ts';
    expect(paths).toContain(path);
    expect(linesOf(root, path).join('\n')).toContain('expect.fail(');
  });

  it.each([
    ['GET /api/v1/webhooks', 'list-hooks', 'already exists'],
    ['GET /api/v1/colours', 'List', "isn't a name"],
    ['FETCH /api/v1/colours', undefined, 'Usage'],
    ['GET api/v1/colours', undefined, 'Usage'],
    ['GET', undefined, 'Usage'],
  ])('rejects %s as %s', (route, name, message) => {
    const root = emptyRoot();

    expect(() => makeEndpoint(root, parseRoute(route), name)).toThrow(message);
  });

  it('never overwrites an endpoint', () => {
    const root = emptyRoot();
    makeEndpoint(root, parseRoute('GET /api/v1/colours'));

    expect(() => makeEndpoint(root, parseRoute('GET /api/v1/colours'))).toThrow('already exists');
  });
});

import { describe, expect, it } from 'vitest';
import { refuseUnknownRoute } from '../../../functions/refuse-unknown-route/refuse-unknown-route.ts';
import { openPaths, routes } from '../../../functions/routes.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

async function refuse(method: string, path: string) {
  const headers: Record<string, string> = {};
  const { code } = await serviceErrorOf(() =>
    Promise.resolve().then(() => refuseUnknownRoute({ method, path }, openPaths, headers)),
  );
  return { code, headers };
}

describe('refuseUnknownRoute', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api/v1/send'],
    ['POST', '/api/v1/emails/send/'],
    ['POST', '/API/v1/emails/send'],
    ['GET', '/api/v1/sends/'],
    ['GET', '/api/v1/sends/a/b'],
    ['POST', '//api/v1/emails/send'],
    ['GET', '/api/v1/100%'],
  ])('knows no endpoint for %s %s', async (method, path) => {
    expect(await refuse(method, path)).toEqual({ code: 'endpoint_not_found', headers: {} });
  });

  it.each([
    ['GET', '/api/v1/emails/send', 'POST'],
    ['PATCH', '/api/v1/preferences', 'GET, POST'],
    ['POST', '/api/v1/templates/tpl_1', 'DELETE, GET, PUT'],
    ['OPTIONS', '/t/c/token', 'GET, HEAD'],
    ['HEAD', '/api/v1/sends/snd_1', 'GET'],
    ['BREW', '/api/v1/contacts/100%@example.com', 'DELETE, GET'],
  ])('tells %s %s to use %s', async (method, path, allow) => {
    expect(await refuse(method, path)).toEqual({
      code: 'method_not_allowed',
      headers: { Allow: allow },
    });
  });

  it('names every method of every route', async () => {
    for (const { method, path } of routes) {
      const { headers } = await refuse('BREW', path.replaceAll(/\{\w+\}/g, 'x'));

      expect(headers['Allow']?.split(', '), path).toContain(method);
    }
  });
});

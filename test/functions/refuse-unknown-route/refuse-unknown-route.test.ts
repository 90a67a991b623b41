import { describe, expect, it } from 'vitest';
import { refuseUnknownRoute } from '../../../functions/refuse-unknown-route/refuse-unknown-route.ts';
import { openPaths, routes } from '../../../functions/routes.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

async function refuse(method: string, path: string) {
  const headers: Record<string, string> = {};
  const { code, message } = await serviceErrorOf(() =>
    Promise.resolve().then(() => refuseUnknownRoute({ method, path }, openPaths, headers)),
  );
  return { code, headers, message };
}

describe('refuseUnknownRoute', () => {
  it.each([
    ['GET', '/'],
    ['POST', '/api/v1/emails/send/'],
    ['POST', '/API/v1/emails/send'],
    ['GET', '/api/v1/sends/'],
    ['GET', '/api/v1/sends/a/b'],
    ['POST', '//api/v1/emails/send'],
    ['GET', '/api/v1/100%'],
  ])('finds no endpoint for %s %s', async (method, path) => {
    expect(await refuse(method, path)).toMatchObject({ code: 'endpoint_not_found', headers: {} });
  });

  it.each([
    ['GET', '/api/v1/emails/send', 'POST'],
    ['PATCH', '/api/v1/preferences', 'GET, POST'],
    ['POST', '/api/v1/templates/tpl_1', 'DELETE, GET, PUT'],
    ['OPTIONS', '/t/c/token', 'GET, HEAD'],
    ['HEAD', '/api/v1/sends/snd_1', 'GET, PATCH'],
    ['BREW', '/api/v1/contacts/100%@example.com', 'DELETE, GET'],
    // The path of a sibling takes these too, and is not what was asked.
    ['GET', '/api/v1/suppressions/lift', 'POST'],
    ['GET', '/api/v1/suppressions/import', 'POST'],
    ['POST', '/api/v1/suppressions/export', 'GET'],
    ['PUT', '/console/links', 'POST'],
    ['PATCH', '/console/session', 'DELETE, GET, POST'],
  ])('suggests to %s %s the method %s', async (method, path, allow) => {
    expect(await refuse(method, path)).toMatchObject({
      code: 'method_not_allowed',
      headers: { Allow: allow },
    });
  });

  it.each([
    ['POST', '/emails', '/api/v1/emails/send'],
    ['POST', '/email', '/api/v1/emails/send'],
    ['POST', '/api/v1/emails', '/api/v1/emails/send'],
    ['POST', '/api/v1/send', '/api/v1/emails/send'],
    ['POST', '/v3/mail/send', '/api/v1/emails/send'],
    ['POST', '/v3/example.com/messages', '/api/v1/emails/send'],
    ['POST', '/v2/email/outbound-emails', '/api/v1/emails/send'],
    ['GET', '/api/v1/emails', '/api/v1/sends'],
    ['POST', '/emails/send', '/api/v1/emails/send'],
    ['POST', '/api/v1/emails/send/', '/api/v1/emails/send'],
    ['POST', '/API/v1/emails/send', '/api/v1/emails/send'],
    ['POST', '//api/v1/emails/send', '/api/v1/emails/send'],
    ['POST', '/api/v1/email/send', '/api/v1/emails/send'],
    ['GET', '/api/v1/send/snd_1', '/api/v1/sends/{id}'],
    ['GET', '/v1/templates', '/api/v1/templates'],
    ['GET', '/api/v1/webhook', '/api/v1/webhooks'],
    ['POST', '/api/v1/unsubscribe', '/api/unsubscribe'],
  ])('asks for %s %s whether %s was meant', async (method, path, meant) => {
    expect(await refuse(method, path)).toMatchObject({
      code: 'endpoint_not_found',
      message: `There is no endpoint at this path. Did you mean ${meant}?`,
    });
  });

  it.each(['/', '/wp-login.php', '/api/v1/zzz', `/${'a'.repeat(10_000)}`])(
    'guesses nothing for %s',
    async (path) => {
      expect((await refuse('GET', path)).message).toContain('see /docs');
    },
  );

  it('names every method of every route', async () => {
    for (const { method, path } of routes) {
      const { headers } = await refuse('BREW', path.replaceAll(/\{\w+\}/g, 'x'));

      expect(headers['Allow']?.split(', '), path).toContain(method);
    }
  });
});

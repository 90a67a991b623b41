import { defineEndpoint } from '#shared/endpoints/endpoint';
import { renderSignInError } from '#shared/endpoints/sign-in-errors';
import { ServiceError } from '#shared/errors/service-error';
import { redirectResponse } from '#shared/http/http-response';
import { endSessionUrlOf, knowsIssuer } from '#shared/oidc/issuer';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/oidc/sign-out',
    access: 'anybody',
    answers: {
      302: {
        description: 'A redirect to the identity provider, or to the console.',
        headers: ['Location'],
      },
    },
    errors: ['oidc_not_configured', 'oidc_unavailable'],
    isForPeople: true,
    renderError: renderSignInError,
    uses: { issuer: knowsIssuer },
    lambda: { stack: 'Console', tableActions: [] },
    words: {
      section: 'Console',
      summary: 'Sign out at the identity provider',
      description:
        'For browsers, once `DELETE /console/session` has ended the session here. Leads to where the identity provider signs people out, or to the console if it has no such place.',
    },
  },
  async (_, { issuer }) => {
    if (issuer === undefined) throw new ServiceError('oidc_not_configured');
    return redirectResponse((await endSessionUrlOf(issuer)) ?? '/console');
  },
);

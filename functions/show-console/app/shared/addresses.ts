// The pages of single things. What names them may be text from outside, so it's encoded.

export const emailPage = (id: string): string => `/console/emails/${encodeURIComponent(id)}`;

/** What was sent to an address, and what keeps email from it. */
export const recipientPage = (email: string): string =>
  `/console/addresses/${encodeURIComponent(email)}`;

export const templatePage = (id: string): string => `/console/templates/${encodeURIComponent(id)}`;

export const webhookPage = (id: string): string => `/console/webhooks/${encodeURIComponent(id)}`;

export const domainPage = (domain: string): string =>
  `/console/domains/${encodeURIComponent(domain)}`;

export const keyPage = (id: string): string => `/console/keys?key=${encodeURIComponent(id)}`;

/** What a person did. */
export const personAuditPage = (id: string): string =>
  `/console/settings/audit?person=${encodeURIComponent(id)}`;

/**
 * Where a sign-in link leads.
 *
 * @param to from the link, which anyone can make: only pages of the console count.
 */
export const pageAfterSignIn = (to = ''): string =>
  /^\/console(?:[/?][^\\]*)?$/.test(to) && !to.includes('..') ? to : '/console';

/** Where somebody signs in with the deployment's identity provider. */
export const issuerAddress = (to: string, isFresh = false): string =>
  `/console/oidc/sign-in?${new URLSearchParams({ to, ...(isFresh && { fresh: '1' }) })}`;

/** For operators. */
export const organizationPage = (id: string): string => `/console/organizations/${id}`;

import { hasScope, type Scope } from '#shared/access/scopes';
import type { Route } from '../../../api.ts';
import { session } from '../api-client.ts';

/** The first scope that these requests need, and that isn't granted; `undefined` if nothing is missing. */
export const lacking = (granted: readonly string[], routes: readonly Route[]): Scope | undefined =>
  routes
    .map((route) => SCOPES[route] ?? [])
    .find((needed) => needed.length > 0 && !needed.some((scope) => hasScope(granted, scope)))?.[0];

/** Whether these scopes are enough for all of these requests. */
export const allows = (granted: readonly string[], routes: readonly Route[]): boolean =>
  lacking(granted, routes) === undefined;

/** Whether the session may make these requests: what the page doesn't offer, the service needn't refuse. */
export const may = (...routes: readonly Route[]): boolean => allows(session.scopes, routes);

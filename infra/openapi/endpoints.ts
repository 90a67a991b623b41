import { type Endpoint, sections } from '#shared/endpoints/endpoint';
import { endpointOf, type Route, routes } from '../../functions/routes.ts';

export type RoutedEndpoint = Endpoint & { readonly at: Route };

export const routedEndpoints: readonly RoutedEndpoint[] = sections.flatMap((section) =>
  routes
    .map((at) => ({ ...endpointOf(at.functionName), at }))
    .filter(({ words }) => words.section === section),
);

import { type Endpoint, sections } from '#shared/endpoints/endpoint';
import { endpointOf, type Route, routes } from '../../functions/routes.ts';

/** An endpoint at one of its routes. */
export type RoutedEndpoint = Endpoint & { readonly at: Route };

/** Every endpoint of the route table, by section, else in the order of the table. */
export const routedEndpoints: readonly RoutedEndpoint[] = sections.flatMap((section) =>
  routes
    .map((at) => ({ ...endpointOf(at.functionName), at }))
    .filter(({ words }) => words.section === section),
);

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routes } from '../../functions/routes.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { newAccount, reservedOf, throttleOfRoute } from '../../infra/local/account.ts';
import { settings as defaults } from '../../infra/settings/settings.ts';
import {
  functionPath,
  resourceAt,
  settings,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const throttleShape = z
  .object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() })
  .transform((throttle) => ({
    rateLimit: throttle.ThrottlingRateLimit,
    burstLimit: throttle.ThrottlingBurstLimit,
  }));
const stageShape = z.object({
  DefaultRouteSettings: throttleShape,
  RouteSettings: z.record(z.string(), throttleShape),
});

const routeKeys = ['$default', ...routes.map(({ key }) => key)];

describe.each([
  ['a new account', synthesiseStack(), newAccount],
  ['an account with settings of its own', synthesiseWithSettings(), defaults(settings)],
])('the limits of %s on the twin', (_, stack, account) => {
  it('throttle each route as the synthesised stage does', () => {
    const { Properties } = resourceAt(stack, 'HttpApi/DefaultStage');
    const stage = stageShape.parse(Properties);

    const onTwin = Object.fromEntries(
      routeKeys.map((routeKey) => [routeKey, throttleOfRoute(routeKey, account)]),
    );

    const deployed = routeKeys.map((routeKey) => [
      routeKey,
      stage.RouteSettings[routeKey] ?? stage.DefaultRouteSettings,
    ]);
    expect(onTwin).toEqual(Object.fromEntries(deployed));
  });

  it('reserve as many executions for a function as its resource has', () => {
    const onTwin = functionCatalogue.map((declaration) => reservedOf(declaration, account));

    const deployed = functionCatalogue.map(
      ({ name }) =>
        resourceAt(stack, functionPath(name, 'Lambda')).Properties['ReservedConcurrentExecutions'],
    );
    expect(onTwin).toEqual(deployed);
  });
});

it('assumes the concurrency that a deployment without settings assumes', () => {
  expect(newAccount.lambdaConcurrency).toBe(defaults().lambdaConcurrency);
});

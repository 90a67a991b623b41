import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import {
  type HttpApi,
  HttpIntegrationType,
  HttpMethod,
  HttpRoute,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  HttpRouteKey,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ServiceFunction } from './service-function.ts';

/** One integration and one permission, for this API only, however many routes there are. */
export function addRoutes(
  api: HttpApi,
  serviceFunction: ServiceFunction,
  routeKeys: readonly HttpRouteKey[],
): readonly HttpRoute[] {
  const integration = new FunctionIntegration(serviceFunction.invoked);
  const routes = routeKeys.map((routeKey) => {
    const route = new HttpRoute(serviceFunction, routeKey.key, {
      httpApi: api,
      routeKey,
      integration,
    });
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: whyNoAuthorizer });
    return route;
  });
  allowInvocations(api, serviceFunction, routes);
  return routes;
}

/**
 * While a version shifts by alias, the function itself may also be invoked, so that turning `gradualDeployment` on or
 * off never leaves an integration without a permission.
 */
function allowInvocations(
  api: HttpApi,
  { lambda, alias }: ServiceFunction,
  routes: readonly HttpRoute[],
): void {
  const permission = {
    principal: new ServicePrincipal('apigateway.amazonaws.com'),
    sourceArn: Stack.of(lambda).formatArn({
      service: 'execute-api',
      resource: api.apiId,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      // Any stage and route: $default has one part where other routes have a method and path.
      resourceName: '*/*',
    }),
  };
  lambda.addPermission('HttpApi', permission);
  if (alias === undefined) return;
  alias.addPermission('HttpApi', permission);
  for (const route of routes) route.node.addDependency(alias.node.findChild('HttpApi'));
  Validations.of(lambda).acknowledge({
    id: 'Annotation::@aws-cdk/aws-lambda:addPermissionsToVersionOrAlias',
    reason: 'The alias has the same permission.',
  });
}

/** API Gateway guards it: the caller's role must be allowed to invoke it. */
export function addIamRoute(
  api: HttpApi,
  serviceFunction: ServiceFunction,
  path: string,
): HttpRoute {
  return new HttpRoute(serviceFunction, 'IamRoute', {
    httpApi: api,
    routeKey: HttpRouteKey.with(path, HttpMethod.POST),
    integration: new FunctionIntegration(serviceFunction.invoked),
    authorizer: new HttpIamAuthorizer(),
  });
}

const whyNoAuthorizer =
  'Each function authenticates its callers itself: it reads the API key together with the items that the request needs anyway, strongly consistent (so a revoked key fails at once), and all errors have one shape. Some endpoints are public by contract.';

/** CDK's own adds a permission for each route. */
class FunctionIntegration extends HttpRouteIntegration {
  readonly #lambda: IFunction;

  constructor(lambda: IFunction) {
    super('Integration');
    this.#lambda = lambda;
  }

  override bind(): HttpRouteIntegrationConfig {
    return {
      type: HttpIntegrationType.AWS_PROXY,
      uri: this.#lambda.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
    };
  }
}

import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import {
  type HttpApi,
  HttpIntegrationType,
  HttpRoute,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  type HttpRouteKey,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ServiceFunction } from './service-function.ts';

/**
 * Leads routes to a function, in the function's own stack: one integration and one permission, however many
 * routes there are. The permission is for this API, and for no other.
 */
export function openRoutes(
  api: HttpApi,
  serviceFunction: ServiceFunction,
  routeKeys: readonly HttpRouteKey[],
): readonly HttpRoute[] {
  const integration = new FunctionIntegration(serviceFunction.lambda);
  const routes = routeKeys.map((routeKey) => {
    const route = new HttpRoute(serviceFunction, routeKey.key, {
      httpApi: api,
      routeKey,
      integration,
    });
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: whyNoAuthorizer });
    return route;
  });
  serviceFunction.lambda.addPermission('HttpApi', {
    principal: new ServicePrincipal('apigateway.amazonaws.com'),
    sourceArn: Stack.of(serviceFunction).formatArn({
      service: 'execute-api',
      resource: api.apiId,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      // Any stage and any route; that of $default has a single part, where others have method and path.
      resourceName: '*/*',
    }),
  });
  return routes;
}

const whyNoAuthorizer =
  'Each function authenticates for itself: the API key leads to its partition, so it is read with the items the request needs anyway, strongly consistent (a revoked key fails at once), and errors keep one shape. Some endpoints are public by contract.';

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

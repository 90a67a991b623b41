import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import { throttleOf } from '../../infra/constructs/route-throttles.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourceAt,
  resourcesOfType,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseStack();

const accessLogShape = z.object({ DestinationArn: z.unknown(), Format: z.string() });

describe('the HTTP API', () => {
  it('has the routes of the route table, and $default for everything else', () => {
    const deployed = resourcesOfType(stack, 'AWS::ApiGatewayV2::Route');

    expect(deployed.map(({ Properties }) => String(Properties['RouteKey'])).sort()).toEqual(
      [...routes.map(({ key }) => String(key)), '$default'].sort(),
    );
  });

  it.each([
    ...routes.map(({ key, functionName }) => ({ key, functionName })),
    { key: '$default', functionName: defaultFunction },
  ])('routes $key to $functionName', ({ key, functionName }) => {
    const deployed = resourcesOfType(stack, 'AWS::ApiGatewayV2::Route').find(
      ({ Properties }) => Properties['RouteKey'] === key,
    );

    const target = asText(stack, deployed?.Properties['Target']);
    const { Properties } = resourceAt(stack, target.replace('integrations/', ''));
    expect(Properties['PayloadFormatVersion']).toBe('2.0');
    expect(asText(stack, Properties['IntegrationUri'])).toBe(functionPath(functionName, 'Lambda'));
  });

  it.each([...new Set([defaultFunction, ...routes.map(({ functionName }) => functionName)])])(
    'is the only API that may invoke %s',
    (name) => {
      const path = functionPath(name, 'Lambda');
      const permissions = resourcesOfType(stack, 'AWS::Lambda::Permission').filter(
        ({ Properties }) =>
          Properties['Principal'] === 'apigateway.amazonaws.com' &&
          asText(stack, Properties['FunctionName']) === path,
      );

      expect(permissions.map(({ Properties }) => asText(stack, Properties['SourceArn']))).toEqual([
        'arn:{AWS::Partition}:execute-api:{AWS::Region}:{AWS::AccountId}:HttpApi/Api/*/*',
      ]);
    },
  );

  it('has no CORS configuration', () => {
    const api = resourceAt(stack, 'HttpApi/Api');

    expect(api.Properties).not.toHaveProperty('CorsConfiguration');
  });

  it('has the configured throttle', () => {
    const { Properties } = resourceAt(synthesiseWithSettings(), 'HttpApi/DefaultStage');
    expect(Properties['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: 50,
      ThrottlingBurstLimit: 80,
    });
  });

  it('throttles public routes individually, after creating them', () => {
    const { Properties, ...stage } = resourceAt(stack, 'HttpApi/DefaultStage');
    const nested = resourcesOfType(stack, 'AWS::CloudFormation::Stack');
    const waitsFor = z.array(z.string()).parse(stage['DependsOn']);

    const throttled = z
      .record(
        z.string(),
        z.object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() }),
      )
      .parse(Properties['RouteSettings']);

    expect(Properties['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: 100,
      ThrottlingBurstLimit: 20,
    });
    const settings = { lambdaConcurrency: 10 };
    expect(throttled['GET /t/c/{token}']?.ThrottlingRateLimit).toBe(
      throttleOf('links', settings)?.rateLimit,
    );
    expect(throttled['$default']?.ThrottlingRateLimit).toBe(
      throttleOf('strangers', settings)?.rateLimit,
    );
    expect(Object.keys(throttled)).not.toContain('POST /api/v1/emails/send');
    expect(waitsFor).toEqual(expect.arrayContaining(nested.map(({ logicalId }) => logicalId)));
  });

  it('logs each request as JSON, with the source address as the only personal data', () => {
    const { Properties } = resourceAt(stack, 'HttpApi/DefaultStage');

    const { Format, DestinationArn } = accessLogShape.parse(Properties['AccessLogSettings']);
    const variables = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(Format)));
    expect(variables.sort()).toEqual([
      '$context.identity.sourceIp',
      '$context.integrationErrorMessage',
      '$context.integrationLatency',
      '$context.integrationStatus',
      '$context.requestId',
      '$context.responseLatency',
      '$context.routeKey',
      '$context.status',
    ]);
    expect(asText(stack, DestinationArn)).toBe('HttpApi/AccessLogs');
    const accessLogs = resourceAt(stack, 'HttpApi/AccessLogs').Properties;
    expect(accessLogs).toMatchObject({ RetentionInDays: 30 });
    expect(asText(stack, accessLogs['LogGroupName'])).toBe(
      '/aws/vendedlogs/EmailService/HttpApi/Api',
    );
  });
});

describe('the stack', () => {
  it('outputs its base URL and table name', () => {
    stack.template.hasOutput('BaseUrl', {
      Value: { 'Fn::GetAtt': [resourceAt(stack, 'HttpApi/Api').logicalId, 'ApiEndpoint'] },
    });
    stack.template.hasOutput('TableName', {
      Value: { Ref: resourceAt(stack, 'ServiceTable/Table').logicalId },
    });
  });
});

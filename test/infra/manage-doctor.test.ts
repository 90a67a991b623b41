import { describe, expect, it } from 'vitest';
import { deadLetterQueueName } from '../../infra/manage/doctor/deployment-checks.ts';
import { resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const idsInOwnTemplate = (type: string) => Object.keys(stack.template.findResources(type));

describe("doctor's view of the stack", () => {
  it('includes every queue without a consumer', () => {
    const queues = resourcesOfType(stack, 'AWS::SQS::Queue');
    const workedOff = queues.filter(({ Properties }) => 'RedrivePolicy' in Properties);

    const looked = idsInOwnTemplate('AWS::SQS::Queue').filter((id) => deadLetterQueueName.test(id));

    expect(looked.length).toBeGreaterThan(0);
    expect(looked).toHaveLength(queues.length - workedOff.length);
  });

  it('includes all alarms in one request', () => {
    const alarms = resourcesOfType(stack, 'AWS::CloudWatch::Alarm');

    expect(idsInOwnTemplate('AWS::CloudWatch::Alarm')).toHaveLength(alarms.length);
    expect(alarms.length).toBeLessThanOrEqual(100);
  });
});

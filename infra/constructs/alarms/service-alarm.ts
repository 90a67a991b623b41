import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

type Bound =
  /** Rings at this value and above. No traffic means no data, and no alarm. */
  | { readonly threshold: number }
  /** Rings below this value or without data: for things that should always happen. */
  | { readonly minimum: number };

/** Anchors in `infra/RUNBOOK.md`. */
export type RunbookSection =
  | 'ses-reviews-or-pauses-the-account'
  | 'the-ses-quota-runs-out'
  | 'one-organization-takes-too-much'
  | 'requests-fail'
  | 'strangers-flood-the-api'
  | 'sess-events-are-late'
  | 'emails-go-out-late'
  | 'a-receiver-of-webhooks-is-down'
  | 'dead-letters'
  | 'work-in-the-background-fails'
  | 'a-deployment-is-rolled-back';

/** For someone who is woken by it: one short sentence each. Details belong in the runbook. */
export type AlarmText = {
  /** What's wrong, who is affected, since when or how much. */
  readonly impact: string;
  /** What to check or do first. */
  readonly firstStep: string;
};

type ServiceAlarmProps = Bound &
  AlarmText & {
    readonly metric: IMetric;
    /** How many periods in a row must breach before it rings. Default: one. */
    readonly periods?: number;
    readonly runbook: RunbookSection;
    /** Where something else must know it. Default: CloudFormation's choice. */
    readonly alarmName?: string;
    readonly alarmTopic: ITopic;
  };

/** Every alarm is one of these, so each states its impact and first step, and reports to the topic. */
export class ServiceAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    super(scope, id, {
      metric: props.metric,
      ...(props.alarmName !== undefined && { alarmName: props.alarmName }),
      alarmDescription: `${props.impact} ${props.firstStep} See infra/RUNBOOK.md#${props.runbook}`,
      evaluationPeriods: props.periods ?? 1,
      ...comparisonWith(props),
    });
    this.addAlarmAction(new SnsAction(props.alarmTopic));
    this.addOkAction(new SnsAction(props.alarmTopic));
  }
}

const comparisonWith = (bound: Bound) =>
  'threshold' in bound
    ? {
        threshold: bound.threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: bound.minimum,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      };

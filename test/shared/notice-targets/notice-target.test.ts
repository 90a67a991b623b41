import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostFaultOf, type NoticeTarget, shownTarget } from '#shared/notice-targets/notice-target';

const moments = { createdAt: 1, updatedAt: 1 };

describe('the host of a target', () => {
  it.each([
    ['slack', 'https://hooks.slack.com/services/T0/B0/x'],
    ['slack', 'https://hooks.slack-gov.com/services/T0/B0/x'],
    [
      'teams',
      'https://prod-12.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x',
    ],
    [
      'teams',
      'https://default1.2.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1',
    ],
  ] as const)('of %s may be that of %s', (type, url) => {
    expect(hostFaultOf(type, new URL(url))).toBeUndefined();
  });

  it.each([
    ['slack', 'https://hooks.slack.com.evil.example/services/T0'],
    ['slack', 'https://evil.example/hooks.slack.com'],
    ['slack', 'https://hooks.slack.com:8443/services/T0'],
    ['slack', 'https://prod-1.logic.azure.com/'],
    ['teams', 'https://logic.azure.com.evil.example/'],
    ['teams', 'https://evillogic.azure.com/'],
    ['teams', 'https://northwind.webhook.office.com/webhookb2/1'],
  ] as const)('of %s may not be that of %s', (type, url) => {
    expect(hostFaultOf(type, new URL(url))).toContain('https://');
  });
});

it('is shown by its host and its last four characters only', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{8,32}$/);
  fc.assert(
    fc.property(secret, (text) => {
      const all: NoticeTarget[] = [
        { type: 'slack', url: `https://hooks.slack.com/services/T0/B0/${text}`, ...moments },
        { type: 'pagerduty', routingKey: text, region: 'us', ...moments },
      ];
      for (const target of all) {
        const shown = shownTarget(target);
        expect(shown.endsWith).toBe(text.slice(-4));
        expect(JSON.stringify(shown)).not.toContain(text.slice(0, 8));
      }
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { parseFormLists } from '#shared/http/parse-request';
import { preferencesFormSchema } from '#shared/pages/preferences-form';

const read = (form: string) => parseFormLists(preferencesFormSchema, new URLSearchParams(form));

describe('the form of the preferences page', () => {
  it('reads a box without a tick as a no', () => {
    const choice = read('token=t&shown=news&category=news&shown=tips');

    expect(choice).toEqual({
      kind: 'save',
      changes: [
        { categoryKey: 'news', subscribed: true },
        { categoryKey: 'tips', subscribed: false },
      ],
    });
  });

  it('leaves out a category that the page did not show', () => {
    const choice = read('shown=news&category=news&category=tips');

    expect(choice).toEqual({ kind: 'save', changes: [{ categoryKey: 'news', subscribed: true }] });
  });

  it('reads each category once', () => {
    const choice = read('shown=news&shown=news&category=news&category=news');

    expect(choice).toEqual({ kind: 'save', changes: [{ categoryKey: 'news', subscribed: true }] });
  });

  it('reads the unsubscribe button, whatever is ticked', () => {
    const choice = read('shown=news&category=news&unsubscribeAll=true');

    expect(choice).toEqual({ kind: 'unsubscribeAll' });
  });

  it('reads the wish to come back', () => {
    expect(read('resubscribe=true')).toEqual({ kind: 'resubscribe' });
  });

  it('changes nothing for an empty form', () => {
    expect(read('')).toEqual({ kind: 'save', changes: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { findSyntaxFault } from '#shared/templates/template-syntax';
import {
  changedParts,
  changesOf,
  draftOf,
  draftUpon,
  newTemplateOf,
  placeOf,
  type Template,
} from '../../../../../functions/show-console/app/templates/draft.ts';

const template: Template = {
  id: 'tpl_1',
  name: 'receipt',
  subject: 'Receipt',
  htmlContent: '<p>\r\nHello\r</p>',
  version: 3,
  createdAt: 1,
  updatedAt: 2,
};

describe('draftOf', () => {
  it('holds a template as a text area does, with a body that is not there as an empty one', () => {
    expect(draftOf(template)).toEqual({
      name: 'receipt',
      subject: 'Receipt',
      htmlContent: '<p>\nHello\n</p>',
      content: '',
    });
    expect(draftOf(undefined)).toEqual({ name: '', subject: '', htmlContent: '', content: '' });
  });
});

describe('changesOf', () => {
  it('changes nothing that nobody touched, whatever line breaks it has', () => {
    expect(changedParts(template, draftOf(template))).toEqual([]);
    expect(changesOf(template, draftOf(template))).toEqual({});
  });

  it('has the parts that were typed, and takes an emptied body away', () => {
    const draft = { ...draftOf(template), subject: 'Your receipt', htmlContent: '', content: 'Hi' };

    expect(changedParts(template, draft)).toEqual(['subject', 'htmlContent', 'content']);
    expect(changesOf(template, draft)).toEqual({
      subject: 'Your receipt',
      htmlContent: null,
      content: 'Hi',
    });
  });
});

describe('draftUpon', () => {
  it('keeps what was typed, and takes the newer version where nothing was', () => {
    const newer = { ...template, subject: 'Newer', htmlContent: '<p>Newer</p>', version: 4 };
    const draft = { ...draftOf(template), htmlContent: '<p>Mine</p>', content: 'Mine' };

    expect(draftUpon(newer, template, draft)).toEqual({
      name: 'receipt',
      subject: 'Newer',
      htmlContent: '<p>Mine</p>',
      content: 'Mine',
    });
  });
});

describe('newTemplateOf', () => {
  it('leaves out a body that is empty', () => {
    const draft = { name: 'a', subject: 'b', htmlContent: '', content: 'c' };

    expect(newTemplateOf(draft)).toEqual({ name: 'a', subject: 'b', content: 'c' });
  });
});

describe('placeOf', () => {
  it.each(['{{#a}}', 'one\n\n  {{/b}}', 'ü\n👍 {{> c}}'])(
    'finds the tag of which the service says that it is at fault: %j',
    (text) => {
      const { line = 0, column = 0, message = '' } = findSyntaxFault(text) ?? {};

      const place = placeOf(text, `line ${line}, column ${column}: ${message}`);

      expect(place).toBe(text.indexOf('{{'));
    },
  );

  it('finds none in any other message', () => {
    expect(placeOf('text', 'must have at most 262144 bytes')).toBeUndefined();
  });
});

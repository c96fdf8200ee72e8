import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../src/api/types';
import { isTodoTool, listInArguments, summary } from '../src/timeline/call';
import { Offsets } from '../src/timeline/offsets';
import { rowsOf, type Row } from '../src/timeline/rows';

let seq = 0;
const event = (type: string, data: unknown, time = '2026-01-01T00:00:00.000Z'): RunEvent => ({ seq: (seq += 1), id: '', time, type, v: 1, by: '', data });
const text = (said: string) => [{ type: 'text', text: said }];
const kinds = (rows: Row[]): string[] => rows.map((row) => (row.kind === 'mark' ? row.what : `${row.kind}${'state' in row ? `:${row.state}` : ''}`));

describe('rows', () => {
  test('a call, its list and its result are one row', () => {
    const todos = [{ content: 'a', status: 'in_progress' }];
    const rows = rowsOf([
      event('tool/call', { callId: '1', name: 'mcp__runsheet__todo_write', arguments: JSON.stringify({ todos }) }),
      event('todo/write', { scope: 'main', todos, author: 'model', callId: '1' }),
      event('tool/result', { callId: '1', content: text('ok') }),
    ]);
    expect(kinds(rows)).toEqual(['todo:ok']);
    expect(rows[0]).toMatchObject({ list: todos, before: null, result: 'ok' });
  });

  test('a running todo call shows its arguments; a refused one is an error and no list to compare with', () => {
    const call = (callId: string) => event('tool/call', { callId, name: 'todo_write', arguments: '{"todos":[{"content":"a","status":"pending"}]}' });
    const rows = rowsOf([
      call('1'),
      event('tool/result', { callId: '1', content: text('Error: no'), isError: true }),
      call('2'),
      event('todo/write', { scope: 'main', todos: [{ content: 'b', status: 'pending' }], author: 'model', callId: '2' }),
      call('3'),
    ]);
    expect(kinds(rows)).toEqual(['todo:error', 'todo:running', 'todo:running']);
    expect(rows[1]).toMatchObject({ before: null });
    expect(rows[2]).toMatchObject({ writeSeq: null });
  });

  test('malformed calls are generic rows', () => {
    for (const args of ['{"todos": [', 'null', '7', '[]', '{}', '{"todos":[null]}', '{"todos":{}}']) {
      expect(kinds(rowsOf([event('tool/call', { callId: '1', name: 'todo_write', arguments: args })])), args).toEqual(['call:running']);
    }
  });

  test('each scope is compared with its own last list', () => {
    const write = (scope: string, content: string) => event('todo/write', { scope, todos: [{ content, status: 'pending' }], author: 'human' });
    const rows = rowsOf([write('main', 'a'), write('agent:x', 'b'), write('main', 'c')]);
    expect(rows[2]).toMatchObject({ before: [{ content: 'a' }] });
    expect(rows[1]).toMatchObject({ before: null, scope: 'agent:x' });
  });

  test('what a turn’s end finds running was stopped; a completed end says nothing', () => {
    const rows = rowsOf([
      event('turn/start', { turn: 1 }),
      event('tool/call', { callId: '1', name: 'bash', arguments: '{"command":"ls"}' }),
      event('turn/end', { turn: 1, reason: 'completed' }),
      event('turn/start', { turn: 2 }),
      event('turn/end', { turn: 2, reason: 'interrupted' }),
    ]);
    expect(kinds(rows)).toEqual(['turn/start', 'call:stopped', 'turn/start', 'turn/end']);
  });

  test('results without a call, unknown types and foreign shapes are rows and no crash', () => {
    const rows = rowsOf([
      event('tool/result', { callId: 'before', content: text('out') }),
      event('future/thing', { x: 1 }),
      event('user/message', null),
      event('user/message', { content: 'not blocks' }),
      event('todo/write', 7),
      event('step/start', { turn: 1, step: 1 }),
    ]);
    expect(kinds(rows)).toEqual(['call:ok', 'future/thing', 'todo:ok']);
  });
});

describe('calls', () => {
  test('todo tools are known behind any server’s prefix', () => {
    for (const name of ['todo_write', 'TodoWrite', 'update_plan', 'mcp__runsheet__todo_write', 'write_todos', 'todo']) expect(isTodoTool(name), name).toBe(true);
    for (const name of ['bash', 'todo_read', 'mcp__todo_write__bash']) expect(isTodoTool(name), name).toBe(false);
  });

  test('a plan’s steps are a list', () => {
    expect(listInArguments('{"plan":[{"step":"a","status":"completed"},{"step":"b"}]}')).toEqual([
      { content: 'a', status: 'completed' },
      { content: 'b', status: 'pending' },
    ]);
  });

  test('a summary is what tells most', () => {
    expect(summary('{"timeout":5,"command":"cargo test\\n--all"}')).toBe('cargo test');
    expect(summary('{"command":["ls","-la"]}')).toBe('ls -la');
    expect(summary('{"x":1}')).toBe('{"x":1}');
    expect(summary('{}')).toBe('');
    expect(summary('not json\nat all')).toBe('not json');
  });
});

describe('offsets', () => {
  test('measured heights stay with their rows when others come before them', () => {
    const offsets = new Offsets();
    offsets.layout([10, 20, 30], () => 50);
    expect(offsets.measure(20, 80)).toBe(true);
    expect(offsets.measure(20, 80.2)).toBe(false);
    offsets.layout([5, 10, 20, 30], () => 50);
    expect([offsets.top(0), offsets.top(1), offsets.top(2), offsets.top(3), offsets.total]).toEqual([0, 50, 100, 180, 230]);
    expect(offsets.at(179)).toBe(2);
    expect(offsets.at(180)).toBe(3);
    expect(offsets.at(9999)).toBe(3);
    expect(offsets.indexOf(20)).toBe(2);
    expect(offsets.indexOf(21)).toBe(3);
  });

  test('nothing has no height', () => {
    const offsets = new Offsets();
    offsets.layout([], () => 50);
    expect([offsets.total, offsets.at(10), offsets.indexOf(3)]).toEqual([0, 0, 0]);
  });
});

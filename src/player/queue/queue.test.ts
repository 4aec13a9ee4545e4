import { describe, expect, test } from 'vitest';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import {
  add,
  clear,
  emptyQueue,
  extend,
  jump,
  next,
  previous,
  QUEUE_LIMIT,
  remove,
  replace,
  replaceBehind,
  startAt,
  type Queue,
} from './queue.ts';
import { addMissing, move } from './queue-edits.ts';

const started = (ids = 'abcde', index = 0) => startAt(createTracks(ids), index);
const addAll = (queue: Queue, ids: string) => createTracks(ids).reduce(add, queue);

/** Head, items added by hand, rest: "c|xy|deab". */
function layout({ list, individualAddToQueueIndex: at }: Queue): string {
  return [list.slice(0, 1), list.slice(1, at), list.slice(at)].map(idsOf).join('|');
}

describe('starting a list', () => {
  test('the list is rotated so that the chosen item comes first', () => {
    const queue = started('abcde', 2);
    expect(idsOf(queue.list)).toBe('cdeab');
    expect(queue.index).toBe(2);
    expect(queue.listType).toBe('category');
  });

  test('the first item keeps the order of the list', () => {
    expect(idsOf(started('abcde', 0).list)).toBe('abcde');
  });

  test('an audio that is twice in a list is queued once, and the chosen one stays first', () => {
    const queue = started('abcbd', 3);
    expect(idsOf(queue.list)).toBe('bdac');
    expect(queue.index).toBe(2);
  });

  test('a chosen audio that occurs again later still plays first', () => {
    expect(idsOf(started('abca', 0).list)).toBe('abc');
    expect(idsOf(started('cabac', 1).list)).toBe('abc');
  });

  test('an index outside the list starts nothing', () => {
    expect(started('abc', 3)).toBe(emptyQueue);
    expect(startAt([], 0)).toBe(emptyQueue);
  });

  test('is no individual change, so the position is reset', () => {
    expect(started().isIndividualQueueUpdate).toBe(false);
    expect(started().isQueueAudio).toBe(false);
  });
});

describe('next', () => {
  test('removes the head, adds it to the history, and moves to the following item', () => {
    const queue = next(started('abc'));
    expect(idsOf(queue.list)).toBe('bc');
    expect(idsOf(queue.played)).toBe('a');
    expect(queue.isIndividualQueueUpdate).toBe(false);
  });

  test('a rotated list plays all its items once and stops', () => {
    let queue = started('abcde', 3);
    let heard = idsOf(queue.list.slice(0, 1));
    for (let following = next(queue); following !== queue; following = next(queue)) {
      queue = following;
      heard += idsOf(queue.list.slice(0, 1));
    }
    expect(heard).toBe('deabc');
    expect(idsOf(queue.list)).toBe('c');
  });

  test('an item added by hand comes before the rest of the list, and is marked as such while it plays', () => {
    const queue = next(add(started('abc'), createTrack('x')));
    expect(layout(queue)).toBe('x||bc');
    expect(queue.isQueueAudio).toBe(true);
    expect(next(queue).isQueueAudio).toBe(false);
  });

  test('skips items that this listener may not hear; they stay in front of the rest and out of the history', () => {
    const queue = next(addAll(started('abc'), 'xy'), (track) => track.id !== 'x' && track.id !== 'y');
    expect(layout(queue)).toBe('b|xy|c');
    expect(idsOf(queue.played)).toBe('a');
  });

  test('skipped items keep their order and kind, and are skipped again', () => {
    const mayHear = ({ id }: { id: string }) => !'lmx'.includes(id);
    let queue = addAll(started('almbc'), 'xy');
    const seen = [];
    for (let count = 0; count < 3; count += 1) seen.push(layout((queue = next(queue, mayHear))));
    expect(seen).toEqual(['y|x|lmbc', 'b|x|lmc', 'c|x|lm']);
    expect(next(queue, mayHear)).toBe(queue);
    expect(layout(add(queue, createTrack('z')))).toBe('c|xz|lm');
  });

  test('changes nothing when no playable item follows', () => {
    const queue = started('abc');
    expect(next(queue, () => false)).toBe(queue);
  });

  test('limits the history to one hundred', () => {
    const tracks = Array.from({ length: 120 }, (_, index) => createTrack(`t${index}`));
    let queue = startAt(tracks, 0);
    for (let count = 0; count < 119; count += 1) queue = next(queue);
    expect(queue.played).toHaveLength(100);
    expect(queue.played.at(-1)?.id).toBe('t118');
  });
});

describe('previous', () => {
  test('goes back to the one played last', () => {
    const queue = previous(next(next(started('abcd'))));
    expect(idsOf(queue.list)).toBe('bcd');
    expect(idsOf(queue.played)).toBe('a');
  });

  test('with an empty history, goes to the item before the chosen one in the rotated list', () => {
    const queue = previous(started('abcde', 2));
    expect(idsOf(queue.list)).toBe('bcdea');
    expect(queue.index).toBe(1);
  });

  test('before the first item of a list comes its last', () => {
    const queue = previous(started('abcd', 0));
    expect(idsOf(queue.list)).toBe('dabc');
    expect(queue.index).toBe(3);
  });

  test('goes back to an item added by hand, and marks it as such', () => {
    const queue = previous(next(next(add(started('abc'), createTrack('x')))));
    expect(layout(queue)).toBe('x||bc');
    expect(queue.isQueueAudio).toBe(true);
  });

  test('a playing item added by hand stays in front of the rest', () => {
    const queue = previous(next(addAll(started('abc'), 'xy')));
    expect(layout(queue)).toBe('a|xy|bc');
  });

  test('a playing list item moves back behind those added by hand', () => {
    const queue = previous(add(next(started('abc')), createTrack('x')));
    expect(layout(queue)).toBe('a|x|bc');
  });

  test('with an empty history, never lands on an item added by hand', () => {
    const queue = addAll(started('a'), 'xy');
    expect(previous(queue)).toBe(queue);
    expect(layout(previous(add(started('abc', 1), createTrack('x'))))).toBe('a|x|bc');
  });

  test('skips locked items in the history and in the list', () => {
    const notB = (id: string) => (track: { id: string }) => track.id !== id;
    expect(idsOf(previous(next(next(started('abcd'))), notB('b')).list)).toBe('acd');
    const back = previous(started('abcde', 2), notB('b'));
    expect(idsOf(back.list)).toBe('abcde');
    expect(back.index).toBe(0);
  });

  test('an audio that was heard and then added again is in the list once', () => {
    const queue = previous(add(next(started('abc')), createTrack('a')));
    expect(layout(queue)).toBe('a||bc');
  });

  test('a single item and an empty queue have no previous item', () => {
    const queue = started('a');
    expect(previous(queue)).toBe(queue);
    expect(previous(emptyQueue)).toBe(emptyQueue);
  });

  test('reverses next', () => {
    const queue = add(started('abcde', 2), createTrack('x'));
    const { isIndividualQueueUpdate, ...there } = queue;
    expect(previous(previous(next(next(queue))))).toEqual({ ...there, isIndividualQueueUpdate: false });
    expect(isIndividualQueueUpdate).toBe(true);
  });
});

describe('adding', () => {
  test('puts the audio behind those added by hand before it', () => {
    expect(layout(addAll(started('abc'), 'xyz'))).toBe('a|xyz|bc');
  });

  test('sets the source to "queue" and does not change the position', () => {
    const queue = add(started('abc'), createTrack('x'));
    expect(queue.list[1]?.source).toBe('queue');
    expect(queue.isIndividualQueueUpdate).toBe(true);
  });

  test('ignores the current audio and audios in the queue', () => {
    const queue = started('abc');
    expect(add(queue, createTrack('a'))).toBe(queue);
    expect(add(queue, createTrack('c'))).toBe(queue);
  });

  test('to an empty queue, the audio becomes the head', () => {
    const queue = add(emptyQueue, createTrack('x'));
    expect(layout(queue)).toBe('x||');
    expect(queue.isQueueAudio).toBe(true);
    expect(queue.isIndividualQueueUpdate).toBe(false);
  });

  test('continues behind the remaining ones when some added by hand were played', () => {
    expect(layout(add(next(addAll(started('abc'), 'xy')), createTrack('z')))).toBe('x|yz|bc');
  });
});

describe('removing', () => {
  test('never removes the current audio, and ignores unknown ones', () => {
    const queue = started('abc');
    expect(remove(queue, 'a')).toBe(queue);
    expect(remove(queue, 'z')).toBe(queue);
  });

  test('removing an item added by hand adjusts the insertion index', () => {
    const queue = remove(addAll(started('abc'), 'xy'), 'x');
    expect(layout(add(queue, createTrack('z')))).toBe('a|yz|bc');
  });

  test('removing an item from before the chosen one adjusts the index, one after it does not', () => {
    expect(remove(started('abcde', 2), 'a').index).toBe(1);
    expect(remove(started('abcde', 2), 'd').index).toBe(2);
    expect(idsOf(remove(started('abcde', 2), 'a').list)).toBe('cdeb');
  });

  test('does not change the position', () => {
    expect(remove(started('abc'), 'b').isIndividualQueueUpdate).toBe(true);
  });
});

describe('moving', () => {
  test('moves an item to another index', () => {
    expect(layout(move(started('abcde'), 1, 3))).toBe('a||cdbe');
    expect(layout(move(started('abcde'), 4, 1))).toBe('a||ebcd');
  });

  test('ignores the head and indexes outside the list', () => {
    const queue = started('abc');
    expect(move(queue, 0, 2)).toBe(queue);
    expect(move(queue, 2, 0)).toBe(queue);
    expect(move(queue, 1, 3)).toBe(queue);
    expect(move(queue, 1, 1)).toBe(queue);
  });

  test('an item moved among those added by hand becomes one of them, and stops being one behind them', () => {
    const queue = addAll(started('abc'), 'xy');
    expect(layout(move(queue, 3, 2))).toBe('a|xby|c');
    expect(layout(move(queue, 3, 1))).toBe('a|bxy|c');
    expect(layout(move(queue, 1, 4))).toBe('a|y|bcx');
    expect(layout(move(queue, 1, 2))).toBe('a|yx|bc');
    expect(layout(move(queue, 4, 3))).toBe('a|xy|cb');
  });

  test('across the border of the rotated part adjusts the index', () => {
    const queue = started('abcde', 2);
    expect(move(queue, 1, 4)).toMatchObject({ index: 3 });
    expect(move(queue, 4, 1)).toMatchObject({ index: 1 });
    expect(move(queue, 1, 2)).toMatchObject({ index: 2 });
    expect(move(queue, 3, 4)).toMatchObject({ index: 2 });
  });
});

describe('playing an item further down', () => {
  test('the skipped items move to the end of the list, and the index is adjusted', () => {
    const queue = jump(started('abcde'), 'd');
    expect(layout(queue)).toBe('d||ebc');
    expect(queue).toMatchObject({ index: 2, isIndividualQueueUpdate: false });
    expect(idsOf(queue.played)).toBe('a');
  });

  test('those added by hand stay in front', () => {
    expect(layout(jump(addAll(started('abcd'), 'xy'), 'c'))).toBe('c|xy|db');
  });

  test('an item added by hand is marked as such, and the ones before it move behind the ones after it', () => {
    const queue = jump(addAll(started('abc'), 'xyz'), 'y');
    expect(layout(queue)).toBe('y|zx|bc');
    expect(queue.isQueueAudio).toBe(true);
  });

  test('in the rotated part counts from the beginning of the original list', () => {
    expect(jump(started('abcde', 3), 'b')).toMatchObject({ index: 1 });
    expect(layout(jump(started('abcde', 3), 'b'))).toBe('b||cea');
    expect(jump(started('abcde', 3), 'a').index).toBe(0);
  });

  test('the head and unknown items change nothing', () => {
    const queue = started('abc');
    expect(jump(queue, 'a')).toBe(queue);
    expect(jump(queue, 'z')).toBe(queue);
  });
});

describe('extending the list', () => {
  test('adds audios at the end, each once', () => {
    const queue = extend(started('ab', 1), createTracks('bxyx'));
    expect(layout(queue)).toBe('b||axy');
    expect(queue.index).toBe(0);
  });

  test('without new audios changes nothing', () => {
    const queue = started('ab');
    expect(extend(queue, createTracks('ab'))).toBe(queue);
  });
});

describe('limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => createTrack(`t${index}`));

  test('a list that is too long is cut at its end in playing order', () => {
    const queue = startAt(many(1500), 600);
    expect(queue.list).toHaveLength(QUEUE_LIMIT);
    expect(queue.list[0]?.id).toBe('t600');
    expect(queue.list.at(-1)?.id).toBe('t99');
    expect(queue.index).toBe(100);
  });

  test('a full queue accepts no more', () => {
    const queue = startAt(many(QUEUE_LIMIT), 0);
    expect(add(queue, createTrack('x'))).toBe(queue);
    expect(extend(queue, [createTrack('x')])).toBe(queue);
  });
});

describe('the preview', () => {
  test('is not added to the history, so previous never returns to it', () => {
    const queue = next(add(startAt([createTrack('p', { source: 'preview' })], 0), createTrack('x')));
    expect(idsOf(queue.list)).toBe('x');
    expect(queue.played).toEqual([]);
  });
});

describe('clearing and replacing', () => {
  test('clearing keeps the current audio and its position', () => {
    const queue = clear(addAll(next(started('abc')), 'xy'));
    expect(layout(queue)).toBe('b||');
    expect(queue.isIndividualQueueUpdate).toBe(true);
    expect(clear(queue)).toBe(queue);
    expect(clear(emptyQueue)).toBe(emptyQueue);
  });

  test('takes over a saved queue; the position stays when the head is the same', () => {
    const saved = { list: createTracks('axb'), listType: 'search', index: 0, individualAddToQueueIndex: 2 };
    const queue = replace(started('abc'), saved);
    expect(layout(queue)).toBe('a|x|b');
    expect(queue).toMatchObject({ listType: 'search', isIndividualQueueUpdate: true });
    expect(replace(started('zabc'), saved).isIndividualQueueUpdate).toBe(false);
  });

  test('corrects an inconsistent saved queue', () => {
    const queue = replace(emptyQueue, {
      list: createTracks('aab'),
      listType: null,
      index: 9,
      individualAddToQueueIndex: 9,
    });
    expect(queue).toMatchObject({ index: 1, individualAddToQueueIndex: 2, isIndividualQueueUpdate: false });
    expect(idsOf(queue.list)).toBe('ab');
    expect(replace(emptyQueue, { list: [], listType: null, index: -1, individualAddToQueueIndex: 4 })).toEqual(
      emptyQueue,
    );
  });

  test('a queue from another device includes its history', () => {
    const contents = { list: createTracks('ab'), listType: null, index: 0, individualAddToQueueIndex: 1 };
    expect(idsOf(replace(started('xyz'), { ...contents, played: createTracks('yz') }).played)).toBe('yz');
  });

  test('a queue from another device follows the current audio in full', () => {
    const fallbackUrl = addAll(started('bcd'), 'xy');
    const queue = replaceBehind(started('a'), fallbackUrl);
    expect(layout(queue)).toBe('a|bxy|cd');
    expect(queue.isIndividualQueueUpdate).toBe(true);
  });

  test('the current audio occurs once when the other queue contains it too', () => {
    expect(layout(replaceBehind(started('c'), started('bcd')))).toBe('c|b|d');
    expect(layout(replaceBehind(started('x'), addAll(started('bcd'), 'xy')))).toBe('x|by|cd');
    const rotated = replaceBehind(started('a'), started('abcd', 2));
    expect(layout(rotated)).toBe('a|c|db');
    expect(rotated.index).toBe(1);
    expect(layout(replaceBehind(started('b'), started('bcd')))).toBe('b||cd');
  });

  test('an empty queue from another device keeps the current audio', () => {
    expect(layout(replaceBehind(started('abc'), emptyQueue))).toBe('a||');
    expect(layout(replaceBehind(emptyQueue, started('abc')))).toBe('a||bc');
  });
});

describe('undoing a removal', () => {
  const before = addAll(next(started('abcdef', 4)), 'xyz');

  test.each(['x', 'y', 'z', 'a', 'b', 'd'])('restores the queue exactly after %s was removed', (id) => {
    const removed = remove(before, id);
    expect(removed.list).toHaveLength(before.list.length - 1);
    expect(addMissing(removed, before)).toEqual({ ...before, isIndividualQueueUpdate: true });
  });

  test('restores the queue exactly after it was cleared', () => {
    expect(addMissing(clear(before), before)).toEqual({ ...before, isIndividualQueueUpdate: true });
  });

  test('keeps later changes: the current head and added audios stay', () => {
    expect(layout(before)).toBe('f|xyz|abcd');
    expect(layout(addMissing(next(remove(before, 'y')), before))).toBe('x|yz|abcd');
    expect(layout(addMissing(add(clear(before), createTrack('n')), before))).toBe('f|xyzn|abcd');
  });

  test('does not restore audios heard meanwhile', () => {
    const later = next(next(remove(before, 'a')));
    expect(layout(addMissing(later, before))).toBe('y|z|abcd');
  });
});

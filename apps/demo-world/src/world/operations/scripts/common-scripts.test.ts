import { describe, expect, test } from 'vitest';
import { actorOf, refusal } from '../../../../test/look-up.ts';
import { createNodeWorld } from '../../../node-world.ts';
import { findDocument } from '../../store/find-documents.ts';
import type { World } from '../../world.ts';

const run = async (world: World, script: string) => {
  const call = { requestId: 'x', operation: 'execute-js', parameters: { script } } as const;
  return (await world.receive(call)).result;
};
const valueOf = (script: string) => run(createNodeWorld({ seed: 1 }), script);

describe('a script finds', () => {
  test.each([
    ['a console', 'console.log("x"); console.group(); console.table([1]); return game.actors.size > 0', true],
    ['collections as tabletops have them', 'return [game.actors.map((a) => a.name)[0], game.actors.filter((a) => a.type === "npc").length, [...game.users].length, game.actors.contents.length === game.actors.size]', ['Mira Thornwood', 2, 4, true]],
    ['a thing by its name or id', 'return [game.actors.getName("Ghoul").id, game.actors.get("mira").name, game.actors.get("nobody") ?? null]', ['ghoul', 'Mira Thornwood', null]],
    ['an error for one that must be there', 'try { game.actors.get("x", { strict: true }) } catch (error) { return error.message }', 'The key x does not exist in the collection'],
    ['documents by UUID', 'return [(await fromUuid("Actor.mira.Item.dagger")).name, fromUuidSync("Scene.chapel.Token.mira").actor.id, (await fromUuid("Compendium.dnd5e.items.Item.dagger")).type, await fromUuid("Actor.nobody"), (await fromUuid("JournalEntry.rumours.JournalEntryPage.bell")).parent.name]', ['Dagger', 'mira', 'weapon', null, 'Rumours of the chapel']],
    ['the sheet of a token that has its own', 'return game.scenes.get("chapel").tokens.find((t) => t.name === "Ghoul 2").actor.system.attributes.hp.max', 22],
    ['items, effects and pages within', 'const mira = game.actors.get("mira"); return [mira.items.getName("Dagger").parent === mira, mira.itemTypes.weapon.length > 0, game.actors.get("borin").effects.size, game.journal.getName("Rumours of the chapel").pages.contents[0].text.format]', [true, true, 1, 1]],
    ['statuses as a set', 'return [game.actors.get("theron").statuses.has("unconscious"), game.actors.get("theron").toObject().statuses]', [true, ['unconscious']]],
    ['folders, scenes, combats and packs', 'return [game.folders.getName("Handouts").type, game.scenes.active.name, canvas.scene.id, game.combat.name, game.packs.get("dnd5e.items").index.size]', ['JournalEntry', 'The Sunken Chapel', 'chapel', 'Ambush in the chapel', 8]],
    ['who runs it and who else is there', 'return [game.user.isGM, game.users.activeGM.name, game.users.current === game.user, game.userId]', [true, 'Ada', true, 'ada']],
    ['the versions and modules', 'return [game.system.id, game.version, game.release.generation, game.modules.get("tabletop-relay").active, game.modules.get("none")?.active ?? null]', ['dnd5e', '13.348', 13, true, null]],
    ['what is selected', 'return canvas.tokens.controlled.map((token) => [token.name, token.actor.id, token.document.uuid])', [['Mira Thornwood', 'mira', 'Scene.chapel.Token.mira']]],
    ['the helpers of tabletops', 'return [foundry.utils.getProperty({ a: { b: 1 } }, "a.b"), foundry.utils.mergeObject({ a: { b: 1 } }, { "a.c": 2 }), foundry.utils.flattenObject({ a: { b: 1 } }), foundry.utils.randomID().length, game.i18n.localize("X")]', [1, { a: { b: 1, c: 2 } }, { 'a.b': 1 }, 16, 'X']],
    ['settings', 'game.settings.register("mine", "x", { default: 3 }); return [game.settings.get("core", "language"), game.settings.get("mine", "x")]', ['en', 3]],
    ['an error for a setting that nobody registered', 'try { game.settings.get("no", "such") } catch (error) { return error.message }', '"no.such" is not a registered game setting'],
    ['who may do what', 'const ben = game.users.getName("Ben"); return [game.actors.get("mira").testUserPermission(ben, "OWNER"), game.actors.get("ghoul").testUserPermission(ben, 1), game.actors.get("mira").hasPlayerOwner]', [true, false, true]],
    ['another macro to run', 'return await game.macros.getName("Toll the bell").execute({ times: 3 })', 3],
    ['hooks and notices that do nothing', 'Hooks.on("ready", () => {}); ui.notifications.info("x"); return Hooks.call("x")', true],
  ])('%s', async (_what, script, result) => {
    expect(await valueOf(script)).toEqual(result);
  }); // prettier-ignore

  test('documents that it may return whole', async () => {
    const [mira, actors] = (await valueOf('return [game.actors.get("mira"), game.actors]')) as [
      object,
      object[],
    ];
    expect(mira).toMatchObject({
      _id: 'mira',
      items: expect.any(Array) as object,
      effects: [],
      prototypeToken: {},
    });
    expect(actors[0]).toEqual(mira);
  });
});

describe('what a script does to its copy the world does', () => {
  test('once it has ended: documents are made, changed and deleted', async () => {
    const world = createNodeWorld({ seed: 1 });
    const id = await run(
      world,
      `const folder = await Folder.create({ name: "Clues", type: "JournalEntry" });
       const [entry] = await JournalEntry.createDocuments([{ name: "Clue", folder: folder.id, pages: [{ name: "1", type: "text" }] }]);
       const mira = game.actors.getName("Mira Thornwood");
       await mira.update({ "system.attributes.hp.value": mira.system.attributes.hp.value - 5 });
       const [lute] = await mira.createEmbeddedDocuments("Item", [{ name: "Lute", type: "tool" }]);
       await lute.setFlag("mine", "tuned", true);
       await mira.deleteEmbeddedDocuments("Item", [mira.items.getName("Dagger").id]);
       await fromUuidSync("Scene.chapel.Token.sable").update({ x: 1, y: 2 });
       await game.items.get("silver-key").delete();
       await game.settings.set("core", "rollMode", "gmroll");
       return [folder.id, entry.uuid, mira.system.attributes.hp.value, lute.getFlag("mine", "tuned"), game.items.size];`,
    );
    const [folder, entry, ...seen] = id as string[];
    expect(seen).toEqual([22, true, 0]);
    const { state } = world;
    expect(findDocument(state(), `Folder.${folder}`)?.data).toMatchObject({
      name: 'Clues',
      type: 'JournalEntry',
    });
    expect(world.answer('entity', { uuid: entry! }).data).toMatchObject({ folder, pages: [{ name: '1' }] });
    const mira = actorOf(world, 'Actor.mira');
    expect(mira.hitPoints.value).toBe(22);
    expect(mira.items.map(({ name }) => name)).not.toContain('Dagger');
    expect(mira.items.at(-1)).toMatchObject({ name: 'Lute', more: { flags: { mine: { tuned: true } } } });
    expect(state().scenes[0]?.tokens.find(({ name }) => name.startsWith('Sable'))).toMatchObject({
      x: 1,
      y: 2,
    });
    expect(findDocument(state(), 'Item.silver-key')).toBeUndefined();
    expect(await run(world, 'return game.settings.get("core", "rollMode")')).toBe('gmroll');
  });

  test('a message is said in the name and to the users that it gives', async () => {
    const world = createNodeWorld({ seed: 1 });
    await run(
      world,
      `const speaker = ChatMessage.getSpeaker({ token: canvas.tokens.controlled[0] });
       await ChatMessage.create({ content: "<b>Psst</b>", speaker, whisper: ChatMessage.getWhisperRecipients("Ben"), flavor: "Aside" });`,
    );
    expect(world.state().chat.at(-2)).toMatchObject({
      text: 'Psst', title: 'Aside', whisper: ['ben'], speaker: 'Mira Thornwood',
      speakerUuid: 'Scene.chapel.Token.mira',
    }); // prettier-ignore
  });

  test.each([
    ['changes what is not there', 'await fromUuidSync("Actor.mira").delete(); await Actor.updateDocuments([{ _id: "mira" }])'],
    ['makes what the world does not hold', 'await Folder.create({ name: "x", type: "JournalEntry" }); await Actor.create({ name: "x", type: "god" })'],
    ['makes more than a script may', 'for (let i = 0; i < 600; i++) await Folder.create({ name: "x", type: "Actor" })'],
    ['throws afterwards', 'await game.actors.get("mira").update({ name: "X" }); throw new Error("no")'],
  ])('all of it or nothing: one that %s fails', async (_what, script) => {
    const world = createNodeWorld({ seed: 1 });
    const before = world.state();
    await expect(run(world, script)).rejects.toThrow(refusal('script_failed'));
    expect({ ...world.state(), calls: [] }).toEqual({ ...before, calls: [] });
  }); // prettier-ignore
});

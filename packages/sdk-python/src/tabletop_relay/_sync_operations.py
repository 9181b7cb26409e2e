# Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it.
"""A method for each operation and each channel."""


from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from typing import Unpack

    from . import types as _types
    from ._sync import EventStream
    from ._options import CallOptions, CommandOptions, StreamOptions
    from ._requests import RelayFile

Call = Callable[..., Any]
Follow = Callable[[str, Sequence[tuple[str, object]], Mapping[str, Any]], Any]


class EncountersMethods:
    """Combat encounters."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def encounters(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.EncountersAnswer:
        """List the encounters of the world. Today’s modules leave hidden combatants out for a user who does not own their actors. Scope `encounter:read`."""
        answer = self._call(
            "GET",
            "/encounters",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.EncountersAnswer", answer)

    def start_encounter(
        self,
        *,
        tokens: Sequence[str] | None = None,
        start_with_selected: bool | None = None,
        start_with_players: bool | None = None,
        roll_npc: bool | None = None,
        roll_all: bool | None = None,
        name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.StartEncounterAnswer:
        """Start an encounter. Tokens may be named, taken from the selection, and taken from the players. Today’s modules add a token twice that is named and a player’s; others add each once. Scope `encounter:manage`.

        tokens: Tokens to include.
        start_with_selected: Include the tokens that are selected on the canvas.
        start_with_players: Include the players’ tokens.
        roll_npc: Roll initiative for those that no player owns.
        roll_all: Roll initiative for all.
        name: Name of the encounter; today’s modules call it “New Encounter” where it is left out.
        """
        answer = self._call(
            "POST",
            "/start-encounter",
            {
                "tokens": tokens,
                "startWithSelected": start_with_selected,
                "startWithPlayers": start_with_players,
                "rollNPC": roll_npc,
                "rollAll": roll_all,
                "name": name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.StartEncounterAnswer", answer)

    def end_encounter(
        self,
        *,
        encounter: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.EndEncounterAnswer:
        """End an encounter. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        """
        answer = self._call(
            "POST",
            "/end-encounter",
            {
                "encounter": encounter,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.EndEncounterAnswer", answer)

    def next_turn(
        self,
        *,
        encounter: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.NextTurnAnswer:
        """Go to the next turn. Past the last combatant the next round begins, at turn 0. Whether the defeated keep their turn is a setting of the tabletop. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        """
        answer = self._call(
            "POST",
            "/next-turn",
            {
                "encounter": encounter,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.NextTurnAnswer", answer)

    def next_round(
        self,
        *,
        encounter: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.NextRoundAnswer:
        """Go to the next round. Lands on turn 0. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        """
        answer = self._call(
            "POST",
            "/next-round",
            {
                "encounter": encounter,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.NextRoundAnswer", answer)

    def last_turn(
        self,
        *,
        encounter: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.LastTurnAnswer:
        """Go back one turn. Before the first combatant it is the last turn of the round before. At round 1, turn 0 nothing changes. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        """
        answer = self._call(
            "POST",
            "/last-turn",
            {
                "encounter": encounter,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.LastTurnAnswer", answer)

    def last_round(
        self,
        *,
        encounter: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.LastRoundAnswer:
        """Go back one round. Lands on the last turn of the round before. At round 1 it goes to turn 0. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        """
        answer = self._call(
            "POST",
            "/last-round",
            {
                "encounter": encounter,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.LastRoundAnswer", answer)

    def add_to_encounter(
        self,
        *,
        encounter: str | None = None,
        uuids: Sequence[str] | None = None,
        selected: bool | None = None,
        roll_initiative: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.AddToEncounterAnswer:
        """Add tokens to an encounter. A token that can’t be added is listed in `failed`; the others are added all the same. Today’s modules take an actor’s UUID too, for its first token on the scene in view, and with `rollInitiative` they roll for the whole encounter and answer before that has ended. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        uuids: The tokens, by UUID; may be empty with `selected`.
        selected: Use the tokens that are selected on the canvas.
        roll_initiative: Roll initiative for those that are added.
        """
        answer = self._call(
            "POST",
            "/add-to-encounter",
            {
                "encounter": encounter,
                "uuids": uuids,
                "selected": selected,
                "rollInitiative": roll_initiative,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.AddToEncounterAnswer", answer)

    def remove_from_encounter(
        self,
        *,
        encounter: str | None = None,
        uuids: Sequence[str] | None = None,
        selected: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.RemoveFromEncounterAnswer:
        """Remove tokens from an encounter. A token that can’t be removed is listed in `failed`; the others are removed all the same. Today’s modules find a token’s UUID only where the encounter belongs to the token’s scene. One that `start-encounter` made belongs to none: give the actor’s UUID there, or use `selected`. Scope `encounter:manage`.

        encounter: Id of the encounter; the current one when left out.
        uuids: The tokens, by UUID; may be empty with `selected`.
        selected: Use the tokens that are selected on the canvas.
        """
        answer = self._call(
            "POST",
            "/remove-from-encounter",
            {
                "encounter": encounter,
                "uuids": uuids,
                "selected": selected,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.RemoveFromEncounterAnswer", answer)


class Sys5eMethods:
    """Fifth-edition actors."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def get_actor_details(
        self,
        *,
        actor_uuid: str,
        details: Sequence[Literal["resources", "items", "spells", "features", "stats", "abilities", "skills", "details", "conditions"]],
        **options: Unpack[CallOptions],
    ) -> _types.GetActorDetailsAnswer:
        """Read an actor’s resources, spells, items and more. The answer has the details that were asked for and no others. Today’s modules give them whole to every user who may at least see that the actor is there. Scope `sys5e:read`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        details: What to return. In a query string: with commas, as JSON text, or the parameter repeated.
        """
        answer = self._call(
            "GET",
            "/sys5e/get-actor-details",
            {
                "actorUuid": actor_uuid,
                "details": details,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetActorDetailsAnswer", answer)

    def modify_experience(
        self,
        *,
        amount: float,
        actor_uuid: str | None = None,
        selected: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.ModifyExperienceAnswer:
        """Add or take away experience points. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        amount: Points to add; negative to take away.
        """
        answer = self._call(
            "POST",
            "/sys5e/modify-experience",
            {
                "actorUuid": actor_uuid,
                "selected": selected,
                "amount": amount,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ModifyExperienceAnswer", answer)

    def skill_check(
        self,
        *,
        actor_uuid: str,
        skill: Literal["acr", "ani", "arc", "ath", "dec", "his", "ins", "itm", "inv", "med", "nat", "prc", "prf", "per", "rel", "slt", "ste", "sur"],
        advantage: bool | None = None,
        disadvantage: bool | None = None,
        bonus: str | None = None,
        create_chat_message: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.SkillCheckAnswer:
        """Roll a skill check. Scope `roll:execute`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        skill: The skill: `acr` Acrobatics, `ani` Animal Handling, `arc` Arcana, `ath` Athletics, `dec` Deception, `his` History, `ins` Insight, `itm` Intimidation, `inv` Investigation, `med` Medicine, `nat` Nature, `prc` Perception, `prf` Performance, `per` Persuasion, `rel` Religion, `slt` Sleight of Hand, `ste` Stealth, `sur` Survival.
        advantage: Roll twice and keep the higher.
        disadvantage: Roll twice and keep the lower.
        bonus: Extra bonus as a formula, for example `1d4` or `+2`.
        create_chat_message: Post the roll to the world’s chat.
        """
        answer = self._call(
            "POST",
            "/sys5e/skill-check",
            {
                "actorUuid": actor_uuid,
                "skill": skill,
                "advantage": advantage,
                "disadvantage": disadvantage,
                "bonus": bonus,
                "createChatMessage": create_chat_message,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.SkillCheckAnswer", answer)

    def ability_save(
        self,
        *,
        actor_uuid: str,
        ability: Literal["str", "dex", "con", "int", "wis", "cha"],
        advantage: bool | None = None,
        disadvantage: bool | None = None,
        bonus: str | None = None,
        create_chat_message: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.AbilitySaveAnswer:
        """Roll a saving throw. Proficiency counts where the actor has it. Scope `roll:execute`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        ability: The ability: `str` Strength, `dex` Dexterity, `con` Constitution, `int` Intelligence, `wis` Wisdom, `cha` Charisma.
        advantage: Roll twice and keep the higher.
        disadvantage: Roll twice and keep the lower.
        bonus: Extra bonus as a formula, for example `1d4` or `+2`.
        create_chat_message: Post the roll to the world’s chat.
        """
        answer = self._call(
            "POST",
            "/sys5e/ability-save",
            {
                "actorUuid": actor_uuid,
                "ability": ability,
                "advantage": advantage,
                "disadvantage": disadvantage,
                "bonus": bonus,
                "createChatMessage": create_chat_message,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.AbilitySaveAnswer", answer)

    def ability_check(
        self,
        *,
        actor_uuid: str,
        ability: Literal["str", "dex", "con", "int", "wis", "cha"],
        advantage: bool | None = None,
        disadvantage: bool | None = None,
        bonus: str | None = None,
        create_chat_message: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.AbilityCheckAnswer:
        """Roll a raw ability check. No skill counts; for those use `skill-check`. Scope `roll:execute`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        ability: The ability: `str` Strength, `dex` Dexterity, `con` Constitution, `int` Intelligence, `wis` Wisdom, `cha` Charisma.
        advantage: Roll twice and keep the higher.
        disadvantage: Roll twice and keep the lower.
        bonus: Extra bonus as a formula, for example `1d4` or `+2`.
        create_chat_message: Post the roll to the world’s chat.
        """
        answer = self._call(
            "POST",
            "/sys5e/ability-check",
            {
                "actorUuid": actor_uuid,
                "ability": ability,
                "advantage": advantage,
                "disadvantage": disadvantage,
                "bonus": bonus,
                "createChatMessage": create_chat_message,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.AbilityCheckAnswer", answer)

    def death_save(
        self,
        *,
        actor_uuid: str,
        advantage: bool | None = None,
        create_chat_message: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DeathSaveAnswer:
        """Roll a death saving throw. DC 10. Three successes stabilise, three failures kill; a natural 20 heals, a natural 1 counts as two failures. One who is not dying is refused. Today’s modules answer without a roll then, and never say `stable` or `healed`. Scope `roll:execute`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        advantage: Roll twice and keep the higher.
        create_chat_message: Post the roll to the world’s chat.
        """
        answer = self._call(
            "POST",
            "/sys5e/death-save",
            {
                "actorUuid": actor_uuid,
                "advantage": advantage,
                "createChatMessage": create_chat_message,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DeathSaveAnswer", answer)

    def get_concentration(
        self,
        *,
        actor_uuid: str | None = None,
        actor_name: str | None = None,
        selected: bool | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.GetConcentrationAnswer:
        """Tell whether an actor concentrates, and on what. Today’s modules do not read `selected`: without an actor’s UUID or name they refuse. Scope `sys5e:read`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        actor_name: Actor name, as it stands in the world.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        """
        answer = self._call(
            "GET",
            "/sys5e/concentration",
            {
                "actorUuid": actor_uuid,
                "actorName": actor_name,
                "selected": selected,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetConcentrationAnswer", answer)

    def break_concentration(
        self,
        *,
        actor_uuid: str | None = None,
        actor_name: str | None = None,
        selected: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.BreakConcentrationAnswer:
        """End an actor’s concentration. Today’s modules do not read `selected`: without an actor’s UUID or name they refuse. They also refuse an actor that does not concentrate, and never answer `broken: false`. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        actor_name: Actor name, as it stands in the world.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        """
        answer = self._call(
            "POST",
            "/sys5e/break-concentration",
            {
                "actorUuid": actor_uuid,
                "actorName": actor_name,
                "selected": selected,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.BreakConcentrationAnswer", answer)

    def concentration_save(
        self,
        *,
        damage: float,
        actor_uuid: str | None = None,
        actor_name: str | None = None,
        advantage: bool | None = None,
        disadvantage: bool | None = None,
        bonus: str | None = None,
        create_chat_message: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.ConcentrationSaveAnswer:
        """Roll to keep concentration after damage. A constitution save against the higher of 10 and half the damage, rounded down. A failed one ends the concentration. Today’s modules refuse an actor that does not concentrate. Scope `roll:execute`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        actor_name: Actor name, as it stands in the world.
        damage: Damage taken.
        advantage: Roll twice and keep the higher.
        disadvantage: Roll twice and keep the lower.
        bonus: Extra bonus as a formula, for example `1d4` or `+2`.
        create_chat_message: Post the roll to the world’s chat.
        """
        answer = self._call(
            "POST",
            "/sys5e/concentration-save",
            {
                "actorUuid": actor_uuid,
                "actorName": actor_name,
                "damage": damage,
                "advantage": advantage,
                "disadvantage": disadvantage,
                "bonus": bonus,
                "createChatMessage": create_chat_message,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ConcentrationSaveAnswer", answer)

    def short_rest(
        self,
        *,
        actor_uuid: str | None = None,
        selected: bool | None = None,
        auto_hd: bool | None = None,
        auto_hd_threshold: float | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.ShortRestAnswer:
        """Take a short rest. Recovers hit points from hit dice, and the features that a short rest resets. Where the rules allow no rest, `result` is `{"completed": true}`. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        auto_hd: Spend hit dice automatically.
        auto_hd_threshold: Fraction of maximum hit points below which hit dice are spent.
        """
        answer = self._call(
            "POST",
            "/sys5e/short-rest",
            {
                "actorUuid": actor_uuid,
                "selected": selected,
                "autoHD": auto_hd,
                "autoHDThreshold": auto_hd_threshold,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.ShortRestAnswer", answer)

    def long_rest(
        self,
        *,
        actor_uuid: str | None = None,
        selected: bool | None = None,
        new_day: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.LongRestAnswer:
        """Take a long rest. Recovers all hit points, spell slots, hit dice and features. Where the rules allow no rest, `result` is `{"completed": true}`. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        new_day: Whether the rest marks a new day.
        """
        answer = self._call(
            "POST",
            "/sys5e/long-rest",
            {
                "actorUuid": actor_uuid,
                "selected": selected,
                "newDay": new_day,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.LongRestAnswer", answer)

    def modify_item_charges(
        self,
        *,
        actor_uuid: str,
        amount: float,
        item_uuid: str | None = None,
        item_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.ModifyItemChargesAnswer:
        """Add or spend an item’s charges. They stay between 0 and the item’s maximum. Today’s modules write all data of the item back, so what another changes in it meanwhile is lost. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        item_uuid: Item UUID, for example `Actor.mira.Item.wand`.
        item_name: Item name, as it stands on the actor.
        amount: Charges to add; negative to spend.
        """
        answer = self._call(
            "POST",
            "/sys5e/modify-item-charges",
            {
                "actorUuid": actor_uuid,
                "itemUuid": item_uuid,
                "itemName": item_name,
                "amount": amount,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ModifyItemChargesAnswer", answer)

    def equip_item(
        self,
        *,
        equipped: bool,
        actor_uuid: str | None = None,
        actor_name: str | None = None,
        item_uuid: str | None = None,
        item_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.EquipItemAnswer:
        """Equip or stow an item. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        actor_name: Actor name, as it stands in the world.
        item_uuid: Item UUID, for example `Actor.mira.Item.wand`.
        item_name: Item name, as it stands on the actor.
        equipped: True to equip, false to stow.
        """
        answer = self._call(
            "POST",
            "/sys5e/equip-item",
            {
                "actorUuid": actor_uuid,
                "actorName": actor_name,
                "itemUuid": item_uuid,
                "itemName": item_name,
                "equipped": equipped,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.EquipItemAnswer", answer)

    def attune_item(
        self,
        *,
        attuned: bool,
        actor_uuid: str | None = None,
        actor_name: str | None = None,
        item_uuid: str | None = None,
        item_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.AttuneItemAnswer:
        """Attune an item or end its attunement. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        actor_name: Actor name, as it stands in the world.
        item_uuid: Item UUID, for example `Actor.mira.Item.wand`.
        item_name: Item name, as it stands on the actor.
        attuned: True to attune, false to end it.
        """
        answer = self._call(
            "POST",
            "/sys5e/attune-item",
            {
                "actorUuid": actor_uuid,
                "actorName": actor_name,
                "itemUuid": item_uuid,
                "itemName": item_name,
                "attuned": attuned,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.AttuneItemAnswer", answer)

    def transfer_currency(
        self,
        *,
        currency: _types.TransferCurrencyCurrency,
        source_actor_uuid: str | None = None,
        source_actor_name: str | None = None,
        target_actor_uuid: str | None = None,
        target_actor_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.TransferCurrencyAnswer:
        """Give coins from one actor to another. The source’s funds are checked first; when they do not suffice nothing changes. Today’s modules write the two actors one after the other, so a world that is closed in between may keep one half. Scope `sys5e:write`.

        source_actor_uuid: UUID of the actor who gives.
        source_actor_name: Name of the actor who gives.
        target_actor_uuid: UUID of the actor who receives.
        target_actor_name: Name of the actor who receives.
        currency: coins by denomination, at least one above 0
        """
        answer = self._call(
            "POST",
            "/sys5e/transfer-currency",
            {
                "sourceActorUuid": source_actor_uuid,
                "sourceActorName": source_actor_name,
                "targetActorUuid": target_actor_uuid,
                "targetActorName": target_actor_name,
                "currency": currency,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.TransferCurrencyAnswer", answer)

    def modify_currency(
        self,
        *,
        actor_uuid: str,
        currency: Literal["pp", "gp", "ep", "sp", "cp"],
        amount: float,
        **options: Unpack[CommandOptions],
    ) -> _types.ModifyCurrencyAnswer:
        """Add or take coins of an actor. A balance never falls below 0, and `delta` repeats `amount` even then. Today’s modules do not check whether the user owns the actor. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        currency: The kind of coin.
        amount: Coins to add; negative to take.
        """
        answer = self._call(
            "POST",
            "/sys5e/modify-currency",
            {
                "actorUuid": actor_uuid,
                "currency": currency,
                "amount": amount,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ModifyCurrencyAnswer", answer)

    def prepare_spell(
        self,
        *,
        actor_uuid: str,
        spell_name: str,
        prepared: bool,
        **options: Unpack[CommandOptions],
    ) -> _types.PrepareSpellAnswer:
        """Prepare a spell, or end that. Today’s modules write the field of the system’s versions up to 4 (`system.preparation.prepared`), so with a later one the spell stays as it was though the answer says otherwise. They do not check whether the user owns the actor. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        spell_name: Spell name, as it stands on the actor.
        prepared: True to prepare it.
        """
        answer = self._call(
            "POST",
            "/sys5e/prepare-spell",
            {
                "actorUuid": actor_uuid,
                "spellName": spell_name,
                "prepared": prepared,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PrepareSpellAnswer", answer)

    def use_ability(
        self,
        *,
        actor_uuid: str,
        ability_uuid: str | None = None,
        ability_name: str | None = None,
        target_uuid: str | None = None,
        target_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UseAbilityAnswer:
        """Use an ability. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        ability_uuid: UUID of an ability to use.
        ability_name: Name of an ability to use, as it stands on the actor.
        target_uuid: UUID of the actor or token to target.
        target_name: Name of the actor or token to target.
        """
        answer = self._call(
            "POST",
            "/sys5e/use-ability",
            {
                "actorUuid": actor_uuid,
                "abilityUuid": ability_uuid,
                "abilityName": ability_name,
                "targetUuid": target_uuid,
                "targetName": target_name,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.UseAbilityAnswer", answer)

    def use_feature(
        self,
        *,
        actor_uuid: str,
        ability_uuid: str | None = None,
        ability_name: str | None = None,
        target_uuid: str | None = None,
        target_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UseFeatureAnswer:
        """Use a feature. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        ability_uuid: UUID of a feature to use.
        ability_name: Name of a feature to use, as it stands on the actor.
        target_uuid: UUID of the actor or token to target.
        target_name: Name of the actor or token to target.
        """
        answer = self._call(
            "POST",
            "/sys5e/use-feature",
            {
                "actorUuid": actor_uuid,
                "abilityUuid": ability_uuid,
                "abilityName": ability_name,
                "targetUuid": target_uuid,
                "targetName": target_name,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.UseFeatureAnswer", answer)

    def use_spell(
        self,
        *,
        actor_uuid: str,
        ability_uuid: str | None = None,
        ability_name: str | None = None,
        target_uuid: str | None = None,
        target_name: str | None = None,
        level: int | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UseSpellAnswer:
        """Use a spell. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. They do not read `level`: a spell is cast at its own. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        ability_uuid: UUID of a spell to use.
        ability_name: Name of a spell to use, as it stands on the actor.
        target_uuid: UUID of the actor or token to target.
        target_name: Name of the actor or token to target.
        level: Level of the slot to cast it with; the lowest that will do when left out.
        """
        answer = self._call(
            "POST",
            "/sys5e/use-spell",
            {
                "actorUuid": actor_uuid,
                "abilityUuid": ability_uuid,
                "abilityName": ability_name,
                "targetUuid": target_uuid,
                "targetName": target_name,
                "level": level,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.UseSpellAnswer", answer)

    def use_item(
        self,
        *,
        actor_uuid: str,
        ability_uuid: str | None = None,
        ability_name: str | None = None,
        target_uuid: str | None = None,
        target_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UseItemAnswer:
        """Use an item. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. Scope `sys5e:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        ability_uuid: UUID of an item to use.
        ability_name: Name of an item to use, as it stands on the actor.
        target_uuid: UUID of the actor or token to target.
        target_name: Name of the actor or token to target.
        """
        answer = self._call(
            "POST",
            "/sys5e/use-item",
            {
                "actorUuid": actor_uuid,
                "abilityUuid": ability_uuid,
                "abilityName": ability_name,
                "targetUuid": target_uuid,
                "targetName": target_name,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.UseItemAnswer", answer)


class UtilityMethods:
    """Selection, users and world."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def select(
        self,
        *,
        uuids: Sequence[str] | None = None,
        name: str | None = None,
        data: Mapping[str, Any] | None = None,
        overwrite: bool | None = None,
        all: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.SelectAnswer:
        """Select tokens on the canvas. Tokens of the active scene that match any of what is given are selected; an empty `uuids` with `overwrite` selects none. Today’s modules refuse where none matches, and any `data` under Foundry 14. They answer those that matched, without what was selected before. Scope `canvas:control`.

        uuids: Tokens to select, by UUID.
        name: Select the tokens of this name.
        data: Select the tokens whose data has these values, by dotted path, for example `{"actor.type": "npc"}`.
        overwrite: Replace the existing selection instead of adding to it.
        all: Select all tokens on the canvas.
        """
        answer = self._call(
            "POST",
            "/select",
            {
                "uuids": uuids,
                "name": name,
                "data": data,
                "overwrite": overwrite,
                "all": all,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.SelectAnswer", answer)

    def selected(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.SelectedAnswer:
        """List the selected tokens. Today’s modules refuse while no scene is active. Scope `entity:read`."""
        answer = self._call(
            "GET",
            "/selected",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.SelectedAnswer", answer)

    def players(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.PlayersAnswer:
        """List the users of the world. Their ids and names are what `userId` takes. Today’s modules answer an empty list where `userId` is no game master. Scope `user:read`."""
        answer = self._call(
            "GET",
            "/players",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PlayersAnswer", answer)

    def world_info(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.WorldInfoAnswer:
        """Describe the world: system, versions, modules, users, scene. Scope `world:read`."""
        answer = self._call(
            "GET",
            "/world-info",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.WorldInfoAnswer", answer)


class EntitiesMethods:
    """Documents of any kind."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def entity(
        self,
        *,
        uuid: str | None = None,
        selected: bool | None = None,
        actor: bool | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.EntityAnswer:
        """Read a document of any kind. With `selected` the answer holds a list of documents, and `uuid` is that of the last. A user who may only see that a document is there gets its `uuid`, `name`, `type` and `img`. The wire name is `entity`. Scope `entity:read`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        actor: With `selected`: use the tokens’ actors instead of the tokens.
        """
        answer = self._call(
            "GET",
            "/get",
            {
                "uuid": uuid,
                "selected": selected,
                "actor": actor,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.EntityAnswer", answer)

    def create(
        self,
        *,
        entity_type: str,
        data: Mapping[str, Any],
        folder: str | None = None,
        keep_id: bool | None = None,
        override: bool | None = None,
        full_sync: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.CreateAnswer:
        """Create a document of any kind. Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`. Where `data` has the `_id` of a document that is there, the call fails unless `override` is true. Scope `entity:write`.

        entity_type: Kind of document, for example `Actor`, `Item`, `JournalEntry`, `RollTable` or `Macro`.
        data: The document’s fields.
        folder: Id of the folder to put it in.
        keep_id: Keep the `_id` that `data` has.
        override: Change the document that has this `_id` instead of failing.
        full_sync: With `override`: also delete the embedded documents that `data` lacks.
        """
        answer = self._call(
            "POST",
            "/create",
            {
                "entityType": entity_type,
                "data": data,
                "folder": folder,
                "keepId": keep_id,
                "override": override,
                "fullSync": full_sync,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.CreateAnswer", answer)

    def update(
        self,
        *,
        data: Mapping[str, Any],
        uuid: str | None = None,
        selected: bool | None = None,
        actor: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UpdateAnswer:
        """Change a document of any kind. Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`. Scope `entity:write`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        actor: With `selected`: use the tokens’ actors instead of the tokens.
        data: The fields to change; nested, or by dotted path such as `system.attributes.hp.value`.
        """
        answer = self._call(
            "PUT",
            "/update",
            {
                "uuid": uuid,
                "selected": selected,
                "actor": actor,
                "data": data,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.UpdateAnswer", answer)

    def delete(
        self,
        *,
        uuid: str | None = None,
        selected: bool | None = None,
        actor: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DeleteAnswer:
        """Delete a document of any kind. Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`. Scope `entity:write`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        actor: With `selected`: use the tokens’ actors instead of the tokens.
        """
        answer = self._call(
            "DELETE",
            "/delete",
            {
                "uuid": uuid,
                "selected": selected,
                "actor": actor,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DeleteAnswer", answer)

    def give(
        self,
        *,
        from_uuid: str | None = None,
        to_uuid: str | None = None,
        selected: bool | None = None,
        item_uuid: str | None = None,
        item_name: str | None = None,
        quantity: int | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.GiveAnswer:
        """Give an item to an actor. From another actor the item moves; without `fromUuid` it is copied. An item that is named and has no `fromUuid` is looked for in the world and its compendiums. Scope `entity:write`.

        from_uuid: UUID of the actor that gives.
        to_uuid: UUID of the actor that receives.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        item_uuid: Item UUID, for example `Actor.mira.Item.wand`.
        item_name: Item name, as it stands on the actor.
        quantity: How many; the whole stack when left out.
        """
        answer = self._call(
            "POST",
            "/give",
            {
                "fromUuid": from_uuid,
                "toUuid": to_uuid,
                "selected": selected,
                "itemUuid": item_uuid,
                "itemName": item_name,
                "quantity": quantity,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GiveAnswer", answer)

    def remove(
        self,
        *,
        actor_uuid: str | None = None,
        selected: bool | None = None,
        item_uuid: str | None = None,
        item_name: str | None = None,
        quantity: int | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.RemoveAnswer:
        """Take an item away from an actor. Scope `entity:write`.

        actor_uuid: Actor UUID, for example `Actor.mira`.
        selected: Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.
        item_uuid: Item UUID, for example `Actor.mira.Item.wand`.
        item_name: Item name, as it stands on the actor.
        quantity: How many; the item is deleted when left out.
        """
        answer = self._call(
            "POST",
            "/remove",
            {
                "actorUuid": actor_uuid,
                "selected": selected,
                "itemUuid": item_uuid,
                "itemName": item_name,
                "quantity": quantity,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.RemoveAnswer", answer)

    def increase(
        self,
        *,
        attribute: str,
        amount: float,
        uuid: str | None = None,
        selected: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.IncreaseAnswer:
        """Add to a number of a document. Scope `entity:write`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        attribute: Dotted path of a number, for example `system.attributes.hp.value`.
        amount: By how much. The module holds the value to no bounds.
        """
        answer = self._call(
            "POST",
            "/increase",
            {
                "uuid": uuid,
                "selected": selected,
                "attribute": attribute,
                "amount": amount,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.IncreaseAnswer", answer)

    def decrease(
        self,
        *,
        attribute: str,
        amount: float,
        uuid: str | None = None,
        selected: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DecreaseAnswer:
        """Take from a number of a document. Scope `entity:write`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        attribute: Dotted path of a number, for example `system.attributes.hp.value`.
        amount: By how much. The module holds the value to no bounds.
        """
        answer = self._call(
            "POST",
            "/decrease",
            {
                "uuid": uuid,
                "selected": selected,
                "attribute": attribute,
                "amount": amount,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DecreaseAnswer", answer)

    def kill(
        self,
        *,
        uuid: str | None = None,
        selected: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.KillAnswer:
        """Mark creatures as dead. Sets hit points to 0, marks the token as dead and the combatant as defeated. Takes a token or an actor. Scope `entity:write`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        """
        answer = self._call(
            "POST",
            "/kill",
            {
                "uuid": uuid,
                "selected": selected,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.KillAnswer", answer)


class StructureMethods:
    """Search and folders."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def search(
        self,
        *,
        query: str | None = None,
        filter: str | Mapping[str, Any] | None = None,
        exclude_compendiums: bool | None = None,
        minified: bool | None = None,
        limit: int | None = None,
        owned_by_user_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.SearchAnswer:
        """Search the world and its compendiums. The answer holds at most 500 hits. A user without any right to a document does not find it, and one who may only see that it is there finds it minified. Today’s modules need another module for it (Quick Insert) and fail without. Scope `search:read`.

        query: Text that names contain; all where it is left out.
        filter: A kind of document, for example `Actor`, or fields and their values: `key:value,key:value`, or an object.
        exclude_compendiums: Search the world alone.
        minified: Answer with five fields for each hit.
        limit: How many hits at most; more count as 500.
        owned_by_user_id: Find only what this user owns.
        """
        answer = self._call(
            "GET",
            "/search",
            {
                "query": query,
                "filter": filter,
                "excludeCompendiums": exclude_compendiums,
                "minified": minified,
                "limit": limit,
                "ownedByUserId": owned_by_user_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.SearchAnswer", answer)

    def structure(
        self,
        *,
        path: str | None = None,
        types: Sequence[Literal["Actor", "Item", "Scene", "JournalEntry", "RollTable", "Playlist", "Macro", "Cards"]] | None = None,
        type: Literal["Actor", "Item", "Scene", "JournalEntry", "RollTable", "Playlist", "Macro", "Cards"] | None = None,
        recursive: bool | None = None,
        recursive_depth: int | None = None,
        include_entity_data: bool | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.StructureAnswer:
        """List folders, documents and compendiums. The answer grows with the world: with `includeEntityData` it can have many megabytes, and one above 16 MiB fails. Ask for `types`, or for one folder with `path`, to keep it small. Folders stand under their names, so of two with one name the answer holds the later. Scope `structure:read`.

        path: Only this folder or pack: `Folder.<id>` or `Compendium.<pack>`.
        types: Kinds of documents; all where it is left out.
        type: The same for a single kind.
        recursive: Also what lies in inner folders.
        recursive_depth: How deep.
        include_entity_data: Whole documents instead of their names.
        """
        answer = self._call(
            "GET",
            "/structure",
            {
                "path": path,
                "types": types,
                "type": type,
                "recursive": recursive,
                "recursiveDepth": recursive_depth,
                "includeEntityData": include_entity_data,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.StructureAnswer", answer)

    def get_folder(
        self,
        *,
        name: str,
        **options: Unpack[CallOptions],
    ) -> _types.GetFolderAnswer:
        """Find a folder by its name. Scope `structure:read`.

        name: Name of the folder, as it stands in the world.
        """
        answer = self._call(
            "GET",
            "/get-folder",
            {
                "name": name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetFolderAnswer", answer)

    def create_folder(
        self,
        *,
        name: str,
        folder_type: str,
        parent_folder_id: str | None = None,
        folder_id: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.CreateFolderAnswer:
        """Create a folder. Scope `structure:write`.

        name: Name of the folder.
        folder_type: Kind of the documents in it, for example `Actor`.
        parent_folder_id: Id of the folder around it.
        folder_id: The id that it shall have. Where a folder has it, that folder is answered.
        """
        answer = self._call(
            "POST",
            "/create-folder",
            {
                "name": name,
                "folderType": folder_type,
                "parentFolderId": parent_folder_id,
                "folderId": folder_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.CreateFolderAnswer", answer)

    def delete_folder(
        self,
        *,
        folder_id: str,
        delete_all: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DeleteFolderAnswer:
        """Delete a folder. Scope `structure:write`.

        folder_id: Id of the folder.
        delete_all: Also delete what lies in it; without it a folder that is not empty stays.
        """
        answer = self._call(
            "DELETE",
            "/delete-folder",
            {
                "folderId": folder_id,
                "deleteAll": delete_all,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DeleteFolderAnswer", answer)


class UsersMethods:
    """Users."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def get_users(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.GetUsersAnswer:
        """List the users with their characters. Scope `user:read`."""
        answer = self._call(
            "GET",
            "/users",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetUsersAnswer", answer)

    def get_user(
        self,
        *,
        id: str | None = None,
        name: str | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.GetUserAnswer:
        """Read a user. Scope `user:read`.

        id: Id of the user.
        name: Name of the user.
        """
        answer = self._call(
            "GET",
            "/user",
            {
                "id": id,
                "name": name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetUserAnswer", answer)

    def create_user(
        self,
        *,
        name: str,
        role: int | None = None,
        password: str | None = None,
        character: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.CreateUserAnswer:
        """Add a user. The role may be that of a game master. Scope `user:write`.

        name: Name of the user.
        role: 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM.
        password: For the world’s log-in page; none where it is left out.
        character: Id or UUID of an actor.
        """
        answer = self._call(
            "POST",
            "/user",
            {
                "name": name,
                "role": role,
                "password": password,
                "character": character,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.CreateUserAnswer", answer)

    def update_user(
        self,
        *,
        data: Mapping[str, Any],
        id: str | None = None,
        name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UpdateUserAnswer:
        """Change a user. The last game master cannot be made less. Data with a macro or a script anywhere in it also needs `script:execute`. Scope `user:write`.

        id: Id of the user.
        name: Name of the user.
        data: The fields to change, for example `{"role": 2}`.
        """
        answer = self._call(
            "PUT",
            "/user",
            {
                "id": id,
                "name": name,
                "data": data,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.UpdateUserAnswer", answer)

    def delete_user(
        self,
        *,
        id: str | None = None,
        name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DeleteUserAnswer:
        """Remove a user. Neither the last game master nor the user of the connected browser can be removed. Scope `user:write`.

        id: Id of the user.
        name: Name of the user.
        """
        answer = self._call(
            "DELETE",
            "/user",
            {
                "id": id,
                "name": name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DeleteUserAnswer", answer)


class EffectsMethods:
    """Effects and conditions."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def get_status_effects(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.GetStatusEffectsAnswer:
        """List the conditions that the world knows. Today’s modules ignore `userId` here. Scope `effects:read`."""
        answer = self._call(
            "GET",
            "/effects/list",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetStatusEffectsAnswer", answer)

    def get_effects(
        self,
        *,
        uuid: str,
        **options: Unpack[CallOptions],
    ) -> _types.GetEffectsAnswer:
        """List the effects on an actor or a token. Scope `effects:read`.

        uuid: UUID of an actor or a token, for example `Actor.mira`.
        """
        answer = self._call(
            "GET",
            "/effects",
            {
                "uuid": uuid,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetEffectsAnswer", answer)

    def add_effect(
        self,
        *,
        uuid: str,
        status_id: str | None = None,
        effect_data: Mapping[str, Any] | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.AddEffectAnswer:
        """Put a condition or an effect on an actor. A condition that is there already is refused. An effect with a macro or a script in its fields also needs `script:execute`. Scope `effects:write`.

        uuid: UUID of an actor or a token, for example `Actor.mira`.
        status_id: Id of a condition, for example `prone`.
        effect_data: The fields of an effect of one’s own, for example `{"name": "Blessed"}`.
        """
        answer = self._call(
            "POST",
            "/effects",
            {
                "uuid": uuid,
                "statusId": status_id,
                "effectData": effect_data,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.AddEffectAnswer", answer)

    def remove_effect(
        self,
        *,
        uuid: str,
        effect_id: str | None = None,
        status_id: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.RemoveEffectAnswer:
        """Take a condition or an effect from an actor. Scope `effects:write`.

        uuid: UUID of an actor or a token, for example `Actor.mira`.
        effect_id: Id of the effect.
        status_id: Id of a condition, for example `prone`.
        """
        answer = self._call(
            "DELETE",
            "/effects",
            {
                "uuid": uuid,
                "effectId": effect_id,
                "statusId": status_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.RemoveEffectAnswer", answer)


class RollsMethods:
    """Dice."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def rolls(
        self,
        *,
        limit: int | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.RollsAnswer:
        """List the last rolls. A world remembers its last 20 rolls. Today’s modules remember a roll of the chat only while their channel of rolls is on. The relay keeps it on while a key with `roll:read` may reach the world: rolls of the time before are missing. The master key alone does not keep it on. Scope `roll:read`.

        limit: How many at most; more count as 20.
        """
        answer = self._call(
            "GET",
            "/rolls",
            {
                "limit": limit,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.RollsAnswer", answer)

    def last_roll(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.LastRollAnswer:
        """Read the last roll. A world remembers its last 20 rolls. Today’s modules remember a roll of the chat only while their channel of rolls is on. The relay keeps it on while a key with `roll:read` may reach the world: rolls of the time before are missing. The master key alone does not keep it on. Scope `roll:read`."""
        answer = self._call(
            "GET",
            "/lastroll",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.LastRollAnswer", answer)

    def roll(
        self,
        *,
        formula: str,
        flavor: str | None = None,
        create_chat_message: bool | None = None,
        speaker: str | None = None,
        whisper: Sequence[str] | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.RollAnswer:
        """Roll a formula. Scope `roll:execute`.

        formula: Dice notation, for example `4d6dl1 + 2` or `2d20kh + 1d4`.
        flavor: What it is for.
        create_chat_message: Post the roll to the world’s chat.
        speaker: UUID of the token or actor in whose name it is rolled.
        whisper: Ids or names of the users who alone see it.
        """
        answer = self._call(
            "POST",
            "/roll",
            {
                "formula": formula,
                "flavor": flavor,
                "createChatMessage": create_chat_message,
                "speaker": speaker,
                "whisper": whisper,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.RollAnswer", answer)


class ChatMethods:
    """Chat."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def chat_messages(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        chat_type: int | str | None = None,
        speaker: str | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.ChatMessagesAnswer:
        """Read the chat. Newest first. Whispers are seen by their author, their recipients and game masters. Messages hold HTML of any length, so a page of many can have megabytes: ask for fewer, and use `offset`. Scope `chat:read`.

        limit: How many at most; more count as 500.
        offset: How many of the newest to leave out.
        chat_type: Only messages of this style: its number, or `other`, `ooc`, `ic`, `emote`, `roll`.
        speaker: Only what was sent under this alias.
        """
        answer = self._call(
            "GET",
            "/chat",
            {
                "limit": limit,
                "offset": offset,
                "chatType": chat_type,
                "speaker": speaker,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ChatMessagesAnswer", answer)

    def chat_send(
        self,
        *,
        content: str,
        whisper: Sequence[str] | None = None,
        flavor: str | None = None,
        chat_type: int | str | None = None,
        speaker: str | None = None,
        alias: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.ChatSendAnswer:
        """Send a chat message. Scope `chat:write`.

        content: HTML. The world cleans it.
        whisper: Ids or names of the users who alone see it.
        flavor: A line above the message.
        chat_type: Its style: a number, or `other`, `ooc`, `ic`, `emote`.
        speaker: UUID of the token or actor in whose name it is sent.
        alias: The name that it is sent under.
        """
        answer = self._call(
            "POST",
            "/chat",
            {
                "content": content,
                "whisper": whisper,
                "flavor": flavor,
                "chatType": chat_type,
                "speaker": speaker,
                "alias": alias,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ChatSendAnswer", answer)

    def chat_delete(
        self,
        *,
        message_id: str,
        **options: Unpack[CommandOptions],
    ) -> _types.ChatDeleteAnswer:
        """Delete a chat message. Scope `chat:write`.

        message_id: Id of the message.
        """
        answer = self._call(
            "DELETE",
            "/chat/:messageId",
            {
                "messageId": message_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ChatDeleteAnswer", answer)

    def chat_flush(
        self,
        **options: Unpack[CommandOptions],
    ) -> _types.ChatFlushAnswer:
        """Delete the whole chat. Scope `chat:write`."""
        answer = self._call(
            "DELETE",
            "/chat",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.ChatFlushAnswer", answer)


class MacrosMethods:
    """Macros and scripts."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def macros(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.MacrosAnswer:
        """List the macros with their code. A user gets those that the user may at least see. One macro is read by `GET /get`, and made, changed and deleted by `POST /create`, `PUT /update` and `DELETE /delete`, which then need `macro:write`. Scope `macro:read`."""
        answer = self._call(
            "GET",
            "/macros",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.MacrosAnswer", answer)

    def macro_execute(
        self,
        *,
        uuid: str,
        args: Mapping[str, Any] | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.MacroExecuteAnswer:
        """Run a macro. A setting of the world must allow it, which is off at first, and `userId` must own the macro. It runs as the connected game master, whoever `userId` is. A result that is no object comes as `{"value": ...}`. Scope `macro:execute`.

        uuid: UUID of the macro, for example `Macro.toll`.
        args: What the macro finds in `args`.
        """
        answer = self._call(
            "POST",
            "/macro/:uuid/execute",
            {
                "uuid": uuid,
                "args": args,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.MacroExecuteAnswer", answer)

    def execute_js(
        self,
        *,
        script: str,
        **options: Unpack[CommandOptions],
    ) -> _types.ExecuteJsAnswer:
        """Run a script. The script is the body of an asynchronous function, and what it returns must be JSON. A setting of the world must allow it, which is off at first, and the role of `userId` must be high enough for another. Modules refuse a script that would change their own settings, and whisper to the game masters what was run. Scope `script:execute`.

        script: For example `return game.actors.getName("Ghoul").name`.
        """
        answer = self._call(
            "POST",
            "/execute-js",
            {
                "script": script,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
        )
        return cast("_types.ExecuteJsAnswer", answer)


class FilesMethods:
    """Files."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def file_system(
        self,
        *,
        path: str | None = None,
        source: str | None = None,
        recursive: bool | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.FileSystemAnswer:
        """List the files of a folder. Scope `file:read`.

        path: The folder; the topmost when left out. It stays within the tabletop’s own files: no address of another place, no `..`, no `\\`.
        source: Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them.
        recursive: List what lies deeper too, three levels at most.
        """
        answer = self._call(
            "GET",
            "/file-system",
            {
                "path": path,
                "source": source,
                "recursive": recursive,
            },
            cast("Mapping[str, Any]", options),
            seconds=15.0,
        )
        return cast("_types.FileSystemAnswer", answer)

    def upload_file(
        self,
        *,
        path: str,
        filename: str,
        source: str | None = None,
        file_data: str | bytes | bytearray | None = None,
        binary_data: Sequence[int] | None = None,
        mime_type: str | None = None,
        overwrite: bool | None = None,
        skip_if_exists: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UploadFileAnswer:
        """Upload a file. A file may have 11 MiB: as the raw body, as the one file of a form (`multipart/form-data`), or in JSON as `fileData`. `binaryData` in JSON may have 1 MiB. Folders that are missing are made. A file that is there is replaced only where `overwrite` says so. Today’s modules refuse it with `skipIfExists` too: the call fails, it is not skipped. Their own upload has 10 s. Scope `file:write`.

        path: The folder. It stays within the tabletop’s own files: no address of another place, no `..`, no `\\`.
        filename: Name of the file, without folders.
        source: Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them.
        file_data: The file as a data URL in base64; `data:` and `data:;base64,` are empty files.
        binary_data: The file as a list of bytes.
        mime_type: Content type of the file.
        overwrite: Replace a file that is there.
        skip_if_exists: Do nothing where the file is there.
        """
        answer = self._call(
            "POST",
            "/upload",
            {
                "path": path,
                "filename": filename,
                "source": source,
                "fileData": file_data,
                "binaryData": binary_data,
                "mimeType": mime_type,
                "overwrite": overwrite,
                "skipIfExists": skip_if_exists,
            },
            cast("Mapping[str, Any]", options),
            in_body=("fileData", "binaryData",),
            raw_body="fileData",
            seconds=30.0,
        )
        return cast("_types.UploadFileAnswer", answer)

    def download_file(
        self,
        *,
        path: str,
        source: str | None = None,
        **options: Unpack[CallOptions],
    ) -> RelayFile:
        """Download a file. A file may have about 11 MiB, since it comes in one frame of at most 16 MiB. Modules would also fetch an address of the web here, from the game master’s browser; the relay refuses that. They do not read `source`. Scope `file:read`.

        path: The file. It stays within the tabletop’s own files: no address of another place, no `..`, no `\\`.
        source: Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them.
        """
        answer = self._call(
            "GET",
            "/download",
            {
                "path": path,
                "source": source,
            },
            cast("Mapping[str, Any]", options),
            seconds=45.0,
            is_file=True,
        )
        return cast("RelayFile", answer)


class SheetsMethods:
    """Sheets."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def sheet_screenshot(
        self,
        *,
        uuid: str | None = None,
        selected: bool | None = None,
        actor: bool | None = None,
        format: Literal["png", "jpeg"] | None = None,
        quality: float | None = None,
        scale: float | None = None,
        **options: Unpack[CallOptions],
    ) -> RelayFile:
        """Take a picture of a sheet. The sheet opens in the game master’s browser for as long as the picture takes. Of several selected tokens today’s modules take the first. The picture may have about 11 MiB, since it comes in one frame of at most 16 MiB. Scope `sheet:read`.

        uuid: UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`.
        selected: Use the tokens that are selected on the canvas.
        actor: With `selected`: use the tokens’ actors instead of the tokens.
        format: Kind of picture.
        quality: How good a `jpeg` is.
        scale: Times the size of the sheet.
        """
        answer = self._call(
            "GET",
            "/sheet",
            {
                "uuid": uuid,
                "selected": selected,
                "actor": actor,
                "format": format,
                "quality": quality,
                "scale": scale,
            },
            cast("Mapping[str, Any]", options),
            seconds=20.0,
            is_file=True,
        )
        return cast("RelayFile", answer)


class ScenesMethods:
    """Scenes."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def get_scene(
        self,
        *,
        scene_id: str | None = None,
        name: str | None = None,
        active: bool | None = None,
        viewed: bool | None = None,
        all: bool | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.GetSceneAnswer:
        """Read a scene, or all of them. The answer holds whole scenes with all that lies on them. With `all` it grows with the world: it can have many megabytes, and one above 16 MiB fails; read one scene, or `/canvas/walls` and the like, to keep it small. A user who may only see that a scene is there gets its `uuid`, `name`, `type` and `img`. Scope `scene:read`.

        scene_id: Id of the scene, for example `chapel`.
        name: Name of the scene.
        active: Use the scene that is active for all players.
        viewed: Use the scene that the game master’s browser shows.
        all: Read every scene; `data` is then a list.
        """
        answer = self._call(
            "GET",
            "/scene",
            {
                "sceneId": scene_id,
                "name": name,
                "active": active,
                "viewed": viewed,
                "all": all,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetSceneAnswer", answer)

    def create_scene(
        self,
        *,
        data: Mapping[str, Any],
        **options: Unpack[CommandOptions],
    ) -> _types.CreateSceneAnswer:
        """Create a scene. A scene whose data embeds behaviours of regions also needs the scope `script:execute`, because a behaviour can run a script. Scope `scene:write`.

        data: The scene’s fields, for example `{"name": "The tower", "width": 20, "height": 14}`.
        """
        answer = self._call(
            "POST",
            "/scene",
            {
                "data": data,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
        )
        return cast("_types.CreateSceneAnswer", answer)

    def update_scene(
        self,
        *,
        data: Mapping[str, Any],
        scene_id: str | None = None,
        name: str | None = None,
        active: bool | None = None,
        viewed: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UpdateSceneAnswer:
        """Change a scene. A scene whose data embeds behaviours of regions also needs the scope `script:execute`, because a behaviour can run a script. In Foundry 14 `background` and `foreground` go to the scene’s first level. Scope `scene:write`.

        scene_id: Id of the scene, for example `chapel`.
        name: Name of the scene.
        active: Use the scene that is active for all players.
        viewed: Use the scene that the game master’s browser shows.
        data: The fields to change; nested, or by dotted path such as `grid.distance`.
        """
        answer = self._call(
            "PUT",
            "/scene",
            {
                "sceneId": scene_id,
                "name": name,
                "active": active,
                "viewed": viewed,
                "data": data,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
        )
        return cast("_types.UpdateSceneAnswer", answer)

    def delete_scene(
        self,
        *,
        scene_id: str | None = None,
        name: str | None = None,
        active: bool | None = None,
        viewed: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DeleteSceneAnswer:
        """Delete a scene with all that lies on it. Scope `scene:write`.

        scene_id: Id of the scene, for example `chapel`.
        name: Name of the scene.
        active: Use the scene that is active for all players.
        viewed: Use the scene that the game master’s browser shows.
        """
        answer = self._call(
            "DELETE",
            "/scene",
            {
                "sceneId": scene_id,
                "name": name,
                "active": active,
                "viewed": viewed,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DeleteSceneAnswer", answer)

    def switch_scene(
        self,
        *,
        scene_id: str | None = None,
        name: str | None = None,
        active: bool | None = None,
        viewed: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.SwitchSceneAnswer:
        """Make a scene the active one. All players see it then. A user must be a game master. Scope `scene:write`.

        scene_id: Id of the scene, for example `chapel`.
        name: Name of the scene.
        active: Use the scene that is active for all players.
        viewed: Use the scene that the game master’s browser shows.
        """
        answer = self._call(
            "POST",
            "/switch-scene",
            {
                "sceneId": scene_id,
                "name": name,
                "active": active,
                "viewed": viewed,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
        )
        return cast("_types.SwitchSceneAnswer", answer)

    def scene_screenshot(
        self,
        *,
        scene_id: str | None = None,
        active: bool | None = None,
        format: Literal["png", "jpeg"] | None = None,
        quality: float | None = None,
        show_grid: bool | None = None,
        hide_overlays: bool | None = None,
        viewport: bool | None = None,
        width: int | None = None,
        height: int | None = None,
        **options: Unpack[CallOptions],
    ) -> RelayFile:
        """Take a picture of the scene as it looks. It shows the scene that the game master’s browser shows, and no other: switch to a scene first. Without `sceneId` and `active` that scene is taken. With `userId` it is seen as that user sees it. Today’s modules take one picture at a time, make it as large as the scene itself, and cut `width` and `height` out of its middle; a picture above about 12 MB never arrives, so ask for `jpeg` where scenes are large. Scope `scene:read`.

        scene_id: Id of the scene.
        active: Use the scene that is active for all players.
        format: Kind of picture.
        quality: How good a `jpeg` is.
        show_grid: Keep the grid where `hideOverlays` would hide it; without that it is ignored.
        hide_overlays: Leave out the grid, fog, weather and marks.
        viewport: Only what the browser shows; `width` and `height` are then ignored.
        width: Width in pixels.
        height: Height in pixels.
        """
        answer = self._call(
            "GET",
            "/scene/image",
            {
                "sceneId": scene_id,
                "active": active,
                "format": format,
                "quality": quality,
                "showGrid": show_grid,
                "hideOverlays": hide_overlays,
                "viewport": viewport,
                "width": width,
                "height": height,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
            is_file=True,
        )
        return cast("RelayFile", answer)

    def scene_raw_image(
        self,
        *,
        scene_id: str | None = None,
        active: bool | None = None,
        **options: Unpack[CallOptions],
    ) -> RelayFile:
        """Fetch the background image of a scene. Without `sceneId` and `active` it is that of the scene that the game master’s browser shows. The answer is JSON, and the picture itself where `Accept` asks for one (`image/*`). Today’s modules let any user have it, and answer without it where their browser cannot fetch the file: asked for the picture, the call then fails. Scope `scene:read`.

        scene_id: Id of the scene.
        active: Use the scene that is active for all players.
        """
        answer = self._call(
            "GET",
            "/scene/image/raw",
            {
                "sceneId": scene_id,
                "active": active,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
            is_file=True,
        )
        return cast("RelayFile", answer)


class CanvasMethods:
    """Canvas."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def get_canvas_documents(
        self,
        *,
        document_type: Literal["tokens", "tiles", "drawings", "lights", "sounds", "notes", "templates", "walls", "regions"],
        document_id: str | None = None,
        scene_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.GetCanvasDocumentsAnswer:
        """List what lies on a scene. The answer holds all documents of the kind: a large scene has thousands of walls, which are a few megabytes; one above 16 MiB fails. Some of today’s modules know no `regions`. Scope `canvas:read`.

        document_type: What kind of documents.
        document_id: Id of the only one to read.
        scene_id: Id of the scene; without it the active one.
        """
        answer = self._call(
            "GET",
            "/canvas/:documentType",
            {
                "documentType": document_type,
                "documentId": document_id,
                "sceneId": scene_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetCanvasDocumentsAnswer", answer)

    def create_canvas_document(
        self,
        *,
        document_type: Literal["tokens", "tiles", "drawings", "lights", "sounds", "notes", "templates", "walls", "regions"],
        data: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        scene_id: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.CreateCanvasDocumentAnswer:
        """Put documents on a scene. A region whose data embeds behaviours also needs the scope `script:execute`, because a behaviour can run a script. Scope `canvas:write`.

        document_type: What kind of documents.
        data: The fields of one document, or a list of up to 500.
        scene_id: Id of the scene; without it the active one.
        """
        answer = self._call(
            "POST",
            "/canvas/:documentType",
            {
                "documentType": document_type,
                "data": data,
                "sceneId": scene_id,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
        )
        return cast("_types.CreateCanvasDocumentAnswer", answer)

    def update_canvas_document(
        self,
        *,
        document_type: Literal["tokens", "tiles", "drawings", "lights", "sounds", "notes", "templates", "walls", "regions"],
        document_id: str,
        data: Mapping[str, Any],
        scene_id: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.UpdateCanvasDocumentAnswer:
        """Change a document on a scene. A region whose data embeds behaviours also needs the scope `script:execute`, because a behaviour can run a script. Today’s modules answer an empty list where nothing changed. Scope `canvas:write`.

        document_type: What kind of documents.
        document_id: Id of the document.
        data: The fields to change; nested, or by dotted path.
        scene_id: Id of the scene; without it the active one.
        """
        answer = self._call(
            "PUT",
            "/canvas/:documentType",
            {
                "documentType": document_type,
                "documentId": document_id,
                "data": data,
                "sceneId": scene_id,
            },
            cast("Mapping[str, Any]", options),
            seconds=30.0,
        )
        return cast("_types.UpdateCanvasDocumentAnswer", answer)

    def delete_canvas_document(
        self,
        *,
        document_type: Literal["tokens", "tiles", "drawings", "lights", "sounds", "notes", "templates", "walls", "regions"],
        document_id: str | Sequence[str],
        scene_id: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.DeleteCanvasDocumentAnswer:
        """Take documents from a scene. Scope `canvas:write`.

        document_type: What kind of documents.
        document_id: Id of the document, or a list of up to 500.
        scene_id: Id of the scene; without it the active one.
        """
        answer = self._call(
            "DELETE",
            "/canvas/:documentType",
            {
                "documentType": document_type,
                "documentId": document_id,
                "sceneId": scene_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.DeleteCanvasDocumentAnswer", answer)

    def move_token(
        self,
        *,
        x: float,
        y: float,
        uuid: str | None = None,
        name: str | None = None,
        waypoints: Sequence[_types.MoveTokenWaypoints] | None = None,
        animate: bool | None = None,
        scene_id: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.MoveTokenAnswer:
        """Move a token. Coordinates are the scene’s own: mostly pixels from its top left, in the demo world squares. A user must be a game master. Animated, today’s modules take 0.3 s for each waypoint and the call waits 10 s: send at most 30, or `animate` as false. Scope `canvas:write`.

        uuid: UUID of the token, for example `Scene.chapel.Token.mira`, or of an actor for its first token on the scene.
        name: Name of a token on the scene.
        x: Where to, from the left.
        y: Where to, from the top.
        waypoints: Points on the way, before the last.
        animate: Let it glide.
        scene_id: Id of the scene; without it the active one.
        """
        answer = self._call(
            "POST",
            "/move-token",
            {
                "uuid": uuid,
                "name": name,
                "x": x,
                "y": y,
                "waypoints": waypoints,
                "animate": animate,
                "sceneId": scene_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.MoveTokenAnswer", answer)

    def measure_distance(
        self,
        *,
        origin_x: float | None = None,
        origin_y: float | None = None,
        origin_uuid: str | None = None,
        origin_name: str | None = None,
        target_x: float | None = None,
        target_y: float | None = None,
        target_uuid: str | None = None,
        target_name: str | None = None,
        scene_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> _types.MeasureDistanceAnswer:
        """Measure the distance between two places. A place is a token, by UUID or name, or a point by its coordinates, which are the scene’s own. Coordinates count before a token. Scope `canvas:read`.

        origin_x: From where, from the left.
        origin_y: From where, from the top.
        origin_uuid: UUID of the token to measure from.
        origin_name: Name of the token to measure from.
        target_x: To where, from the left.
        target_y: To where, from the top.
        target_uuid: UUID of the token to measure to.
        target_name: Name of the token to measure to.
        scene_id: Id of the scene; without it the active one.
        """
        answer = self._call(
            "GET",
            "/measure-distance",
            {
                "originX": origin_x,
                "originY": origin_y,
                "originUuid": origin_uuid,
                "originName": origin_name,
                "targetX": target_x,
                "targetY": target_y,
                "targetUuid": target_uuid,
                "targetName": target_name,
                "sceneId": scene_id,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.MeasureDistanceAnswer", answer)


class PlaylistsMethods:
    """Playlists and sounds."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def get_playlists(
        self,
        **options: Unpack[CallOptions],
    ) -> _types.GetPlaylistsAnswer:
        """List the playlists and what is playing. Today’s modules show every user all of them. The answer grows with the world: thousands of sounds are some hundred kilobytes, and an answer above 16 MiB fails. Scope `playlist:read`."""
        answer = self._call(
            "GET",
            "/playlists",
            {},
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.GetPlaylistsAnswer", answer)

    def playlist_play(
        self,
        *,
        playlist_id: str | None = None,
        playlist_name: str | None = None,
        sound_id: str | None = None,
        sound_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.PlaylistPlayAnswer:
        """Play a playlist, or one sound of it. Without a sound it plays by the playlist’s own mode. A user must be a game master. Scope `playlist:control`.

        playlist_id: Id of the playlist.
        playlist_name: Name of the playlist, whatever its case.
        sound_id: Id of a sound of the playlist.
        sound_name: Name of a sound of the playlist, whatever its case.
        """
        answer = self._call(
            "POST",
            "/playlist/play",
            {
                "playlistId": playlist_id,
                "playlistName": playlist_name,
                "soundId": sound_id,
                "soundName": sound_name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PlaylistPlayAnswer", answer)

    def playlist_stop(
        self,
        *,
        playlist_id: str | None = None,
        playlist_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.PlaylistStopAnswer:
        """Stop a playlist. A user must be a game master. Scope `playlist:control`.

        playlist_id: Id of the playlist.
        playlist_name: Name of the playlist, whatever its case.
        """
        answer = self._call(
            "POST",
            "/playlist/stop",
            {
                "playlistId": playlist_id,
                "playlistName": playlist_name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PlaylistStopAnswer", answer)

    def playlist_next(
        self,
        *,
        playlist_id: str | None = None,
        playlist_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.PlaylistNextAnswer:
        """Go on to the next sound of a playlist. A user must be a game master. Scope `playlist:control`.

        playlist_id: Id of the playlist.
        playlist_name: Name of the playlist, whatever its case.
        """
        answer = self._call(
            "POST",
            "/playlist/next",
            {
                "playlistId": playlist_id,
                "playlistName": playlist_name,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PlaylistNextAnswer", answer)

    def playlist_volume(
        self,
        *,
        volume: float,
        playlist_id: str | None = None,
        playlist_name: str | None = None,
        sound_id: str | None = None,
        sound_name: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.PlaylistVolumeAnswer:
        """Set the volume of a playlist, or of one sound of it. Without a sound today’s modules set the volume of the playlist as a whole, which the answer does not show. A user must be a game master. Scope `playlist:control`.

        playlist_id: Id of the playlist.
        playlist_name: Name of the playlist, whatever its case.
        sound_id: Id of a sound of the playlist.
        sound_name: Name of a sound of the playlist, whatever its case.
        volume: 0 is silent, 1 is full.
        """
        answer = self._call(
            "POST",
            "/playlist/volume",
            {
                "playlistId": playlist_id,
                "playlistName": playlist_name,
                "soundId": sound_id,
                "soundName": sound_name,
                "volume": volume,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PlaylistVolumeAnswer", answer)

    def play_sound(
        self,
        *,
        src: str,
        volume: float | None = None,
        loop: bool | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.PlaySoundAnswer:
        """Play a sound once for everyone. The browser of each player who is in the world loads it and plays it. A user must be a game master. Scope `playlist:control`.

        src: Path or address of the file, for example `sounds/bell.ogg`.
        volume: 0 is silent, 1 is full.
        loop: Begin anew until it is stopped.
        """
        answer = self._call(
            "POST",
            "/play-sound",
            {
                "src": src,
                "volume": volume,
                "loop": loop,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.PlaySoundAnswer", answer)

    def stop_sound(
        self,
        *,
        src: str | None = None,
        **options: Unpack[CommandOptions],
    ) -> _types.StopSoundAnswer:
        """Stop a sound, or all of them. Today’s modules stop sounds in the game master’s browser alone: players hear them to their end. A user must be a game master. Scope `playlist:control`.

        src: Path or address of the file, for example `sounds/bell.ogg`.
        """
        answer = self._call(
            "POST",
            "/stop-sound",
            {
                "src": src,
            },
            cast("Mapping[str, Any]", options),
        )
        return cast("_types.StopSoundAnswer", answer)


class Operations:
    """The operations of a relay by their groups."""

    def __init__(self, call: Call) -> None:
        self.encounters = EncountersMethods(call)
        self.sys5e = Sys5eMethods(call)
        self.utility = UtilityMethods(call)
        self.entities = EntitiesMethods(call)
        self.structure = StructureMethods(call)
        self.users = UsersMethods(call)
        self.effects = EffectsMethods(call)
        self.rolls = RollsMethods(call)
        self.chat = ChatMethods(call)
        self.macros = MacrosMethods(call)
        self.files = FilesMethods(call)
        self.sheets = SheetsMethods(call)
        self.scenes = ScenesMethods(call)
        self.canvas = CanvasMethods(call)
        self.playlists = PlaylistsMethods(call)


class Events:
    """A method for each channel; each answer is one stream."""

    __slots__ = ("_follow",)

    def __init__(self, follow: Follow) -> None:
        self._follow = follow

    def hooks(
        self,
        *,
        hooks: Sequence[str] | None = None,
        **options: Unpack[StreamOptions],
    ) -> EventStream[_types.HooksEvent]:
        """Follow the tabletop’s hooks. Everything that the module reports of the tabletop’s hooks, with the arguments that the tabletop gave. Which hooks those are is the module’s choice.

        hooks: Names of hooks with commas between them; all hooks when left out.
        """
        filters = (("hooks", hooks),)
        stream = self._follow("/hooks/subscribe", filters, cast("Mapping[str, Any]", options))
        return cast("EventStream[_types.HooksEvent]", stream)

    def combat(
        self,
        *,
        encounter_id: str | None = None,
        **options: Unpack[StreamOptions],
    ) -> EventStream[_types.CombatEvent]:
        """Follow combat encounters.

        encounter_id: Id of one encounter; all when left out.
        """
        filters = (("encounterId", encounter_id),)
        stream = self._follow("/encounters/subscribe", filters, cast("Mapping[str, Any]", options))
        return cast("EventStream[_types.CombatEvent]", stream)

    def actor(
        self,
        *,
        actor_uuid: str | None = None,
        **options: Unpack[StreamOptions],
    ) -> EventStream[_types.ActorEvent]:
        """Follow one actor, or all of them.

        actor_uuid: The actor, for example `Actor.mira`; all actors when left out, or by `*`.
        """
        filters = (("actorUuid", actor_uuid),)
        stream = self._follow("/actor/subscribe", filters, cast("Mapping[str, Any]", options))
        return cast("EventStream[_types.ActorEvent]", stream)

    def scene(
        self,
        *,
        scene_id: str | None = None,
        **options: Unpack[StreamOptions],
    ) -> EventStream[_types.SceneEvent]:
        """Follow scenes and what stands on them.

        scene_id: Id of one scene; all when left out.
        """
        filters = (("sceneId", scene_id),)
        stream = self._follow("/scene/subscribe", filters, cast("Mapping[str, Any]", options))
        return cast("EventStream[_types.SceneEvent]", stream)

    def chat(
        self,
        *,
        speaker: str | None = None,
        chat_type: int | None = None,
        whisper_only: bool | None = None,
        user_id: str | None = None,
        **options: Unpack[StreamOptions],
    ) -> EventStream[_types.ChatEvent]:
        """Follow the chat. Whispers and hidden messages too: the module sends what a game master sees.

        speaker: Name or actor id of who speaks. Deletions pass all the same.
        chat_type: Kind of message: 0 other, 1 out of character, 2 in character, 3 emote, 4 whisper, 5 roll; as the tabletop counts them. Deletions pass all the same.
        whisper_only: Whispers alone, when it is true. Deletions pass all the same.
        user_id: Id or name of the user who wrote it. Deletions pass all the same.
        """
        filters = (("speaker", speaker), ("chatType", chat_type), ("whisperOnly", whisper_only), ("userId", user_id),)
        stream = self._follow("/chat/subscribe", filters, cast("Mapping[str, Any]", options))
        return cast("EventStream[_types.ChatEvent]", stream)

    def rolls(
        self,
        *,
        user_id: str | None = None,
        **options: Unpack[StreamOptions],
    ) -> EventStream[_types.RollsEvent]:
        """Follow the dice. Hidden rolls too: the module sends what a game master sees.

        user_id: Id or name of the user who rolled.
        """
        filters = (("userId", user_id),)
        stream = self._follow("/rolls/subscribe", filters, cast("Mapping[str, Any]", options))
        return cast("EventStream[_types.RollsEvent]", stream)

//! Docking: workspaces are layouts of the same panels, each kept and each reset on wish.

use super::{
    layout,
    panel::{Home, PANELS, Panel, PanelContext, spec},
};
use crate::{
    command::{PanelId, Workspace},
    text::t,
};
use egui_tiles::{SimplificationOptions, TabState, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The layouts as the settings keep them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layouts(BTreeMap<Workspace, Tree<PanelId>>);

/// All panels and how they lie.
pub struct Dock {
    layouts: BTreeMap<Workspace, Tree<PanelId>>,
    panels: BTreeMap<PanelId, Box<dyn Panel>>,
    /// The panel the pointer is over; none over menus, gaps and other windows.
    pub hovered: Option<PanelId>,
    /// The panel that was chosen by keys; until the pointer moves it counts as the one it is over.
    keyed: Option<PanelId>,
    /// Whether that has just been chosen, so that Tab goes on from its beginning.
    just_keyed: bool,
    /// The panel whose tab is to come into sight, where its tabs are more than there is room for.
    revealed: Option<PanelId>,
    /// Where notices may lie, points: the 3D view, or all panels where that is not shown.
    pub view: egui::Rect,
    /// Where the panels are that are shown in this frame, points.
    places: BTreeMap<PanelId, egui::Rect>,
    /// How high the bars were that the timeline showed last, points.
    bars: Option<f32>,
}

impl std::fmt::Debug for Dock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dock").field("hovered", &self.hovered).finish_non_exhaustive()
    }
}

/// On either side of a tab's name, points.
const TAB_SPACING_PT: f32 = 10.0;

/// A 3D view smaller than this holds no notice, points.
const NOTICE: egui::Vec2 = egui::vec2(260.0, 140.0);

impl Dock {
    /// All panels, in the layouts kept; a layout that misses a panel or has one twice is replaced.
    #[must_use]
    pub fn new(kept: Layouts) -> Self {
        let mut kept = kept.0;
        let layouts = Workspace::ALL.map(|workspace| {
            let tree = kept.remove(&workspace).filter(is_whole);
            (workspace, tree.unwrap_or_else(|| layout::of(workspace)))
        });
        let panels = PANELS.iter().map(|spec| (spec.id, (spec.build)())).collect();
        Self {
            layouts: layouts.into(),
            panels,
            hovered: None,
            keyed: None,
            just_keyed: false,
            revealed: None,
            view: egui::Rect::NOTHING,
            places: BTreeMap::new(),
            bars: None,
        }
    }

    /// To be called before the panels are shown, with the height of the timeline's bars and what is left above it, points. What
    /// the bars take of the room is taken from the lowest panels alone, so that nothing moves in the view under the pointer.
    pub fn make_room(&mut self, bars: f32, left: f32) {
        let more = bars - self.bars.replace(bars).unwrap_or(bars);
        if more != 0.0 {
            for tree in self.layouts.values_mut() {
                if let Some(root) = tree.root() {
                    lower(&mut tree.tiles, root, left + more, more);
                }
            }
        }
    }

    /// Where a panel is, points; none where it is not shown.
    #[must_use]
    pub fn place(&self, panel: PanelId) -> Option<egui::Rect> {
        self.places.get(&panel).copied()
    }

    /// The layouts, to be kept.
    #[must_use]
    pub fn layouts(&self) -> Layouts {
        Layouts(self.layouts.clone())
    }

    /// Gives a workspace its first layout again.
    pub fn reset(&mut self, workspace: Workspace) {
        self.layouts.insert(workspace, layout::of(workspace));
    }

    /// Brings a panel to the front of its tabs.
    pub fn reveal(&mut self, workspace: Workspace, panel: PanelId) {
        if let Some(tree) = self.layouts.get_mut(&workspace) {
            tree.make_active(|_, tile| matches!(tile, Tile::Pane(own) if *own == panel));
            self.revealed = Some(panel);
        }
    }

    /// Brings a panel to the front, and chooses it, so that keys are for it.
    pub fn bring(&mut self, workspace: Workspace, panel: PanelId) {
        self.reveal(workspace, panel);
        self.choose(Some(panel));
    }

    /// Chooses the next or the last of the panels that are seen.
    pub fn step_panel(&mut self, workspace: Workspace, from: Option<PanelId>, forward: bool) {
        let Some(tree) = self.layouts.get(&workspace) else { return };
        let seen = tree.active_tiles().into_iter().filter_map(|tile| tree.tiles.get_pane(&tile).copied());
        let seen: Vec<PanelId> = seen.chain([PanelId::Timeline]).collect();
        self.choose(next_of(&seen, from, forward));
    }

    /// Brings the next or the last of the panels that share a place to the front, and chooses it.
    pub fn step_tab(&mut self, workspace: Workspace, from: Option<PanelId>, forward: bool) {
        let Some(tree) = self.layouts.get_mut(&workspace) else { return };
        let Some(tile) = from.and_then(|panel| tree.tiles.find_pane(&panel)) else { return };
        let Some(parent) = tree.tiles.parent_of(tile) else { return };
        let Some(Tile::Container(egui_tiles::Container::Tabs(tabs))) = tree.tiles.get(parent) else { return };
        let Some(next) = next_of(&tabs.children, Some(tile), forward) else { return };
        let Some(panel) = tree.tiles.get_pane(&next).copied() else { return };
        self.reveal(workspace, panel);
        self.choose(Some(panel));
    }

    fn choose(&mut self, panel: Option<PanelId>) {
        self.keyed = panel;
        self.just_keyed = panel.is_some();
    }

    /// To be called when all panels were shown: whether the pointer moved, and so says again which panel is meant.
    pub fn heed_keys(&mut self, pointer_moved: bool) {
        if pointer_moved && !self.just_keyed {
            self.keyed = None;
        }
        self.just_keyed = false;
        self.hovered = self.keyed.or(self.hovered);
    }

    /// A panel.
    pub fn panel(&mut self, id: PanelId) -> Option<&mut dyn Panel> {
        self.panels.get_mut(&id).map(|panel| &mut **panel as &mut dyn Panel)
    }

    /// Whether plain keys belong to a panel now.
    #[must_use]
    pub fn captures_keys(&self) -> bool {
        self.panels.values().any(|panel| panel.captures_keys())
    }

    /// Shows a panel that has its own place in the window.
    pub fn show_panel(&mut self, id: PanelId, ui: &mut egui::Ui, ctx: &mut PanelContext<'_>) {
        if ui.rect_contains_pointer(ui.max_rect()) {
            self.hovered = Some(id);
        }
        self.places.insert(id, ui.max_rect());
        let chosen = (self.keyed == Some(id)).then_some(self.just_keyed);
        let frame = chosen.map(|just| begin_chosen(ui, id, just));
        if let Some(panel) = self.panel(id) {
            panel.ui(ui, ctx);
        }
        if let Some(rect) = frame {
            end_chosen(ui, rect, ctx);
        }
    }

    /// Shows a workspace.
    pub fn show(&mut self, workspace: Workspace, ui: &mut egui::Ui, ctx: &mut PanelContext<'_>) {
        let Some(tree) = self.layouts.get_mut(&workspace) else { return };
        let view_tile = tree.tiles.find_pane(&PanelId::Viewport);
        self.view = ui.max_rect();
        self.places.retain(|panel, _| spec(*panel).home == Home::Below);
        let (hovered, view, places) = (&mut self.hovered, &mut self.view, &mut self.places);
        let chosen = self.keyed.map(|panel| (panel, self.just_keyed));
        let revealed = self.revealed.take();
        let panels = &mut self.panels;
        let mut behaviour = Behaviour { panels, hovered, view, places, view_tile, chosen, revealed, ctx };
        tree.ui(&mut behaviour, ui);
        if let Some(panel) = ui.data_mut(|data| data.remove_temp::<Option<PanelId>>(tab_asked())).flatten() {
            self.reveal(workspace, panel);
        }
    }
}

/// The one after or before one of a list, around its ends; the first (last) where that one is not in it.
pub(crate) fn next_of<T: Copy + PartialEq>(all: &[T], from: Option<T>, forward: bool) -> Option<T> {
    let at = from.and_then(|from| all.iter().position(|one| *one == from));
    let count = all.len();
    let next = match (at, forward) {
        (Some(at), true) => (at + 1) % count,
        (Some(at), false) => (at + count - 1) % count,
        (None, true) => 0,
        (None, false) => count.checked_sub(1)?,
    };
    all.get(next).copied()
}

/// Gives the focus to a panel that was just chosen by keys, so that Tab goes on to what is in it.
fn begin_chosen(ui: &egui::Ui, panel: PanelId, just: bool) -> egui::Rect {
    let rect = ui.max_rect();
    let start = egui::Rect::from_min_size(rect.min, egui::Vec2::ZERO);
    let id = egui::Id::unique("panel chosen by keys").with(spec(panel).title);
    let response = ui.interact(start, id, egui::Sense::focusable_noninteractive());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Pane, true, t(spec(panel).title)));
    if just {
        response.request_focus();
    }
    rect
}

/// Shows which panel the keys are for.
fn end_chosen(ui: &egui::Ui, rect: egui::Rect, ctx: &PanelContext<'_>) {
    let stroke = egui::Stroke::new(2.0, ctx.colours.accent);
    ui.ctx().layer_painter(ui.layer_id()).rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Inside);
}

/// Between two panels, points.
const GAP_PT: f32 = 2.0;
/// The lowest panels are not made lower than this, points: from there on all give way.
const LOWEST_PT: f32 = 96.0;

/// Shares the room of a tile that was `height` high, and is lower by `less` from now on, so that all but what lies lowest keep
/// their height.
fn lower(tiles: &mut Tiles<PanelId>, tile: TileId, height: f32, less: f32) {
    let Some(Tile::Container(egui_tiles::Container::Linear(linear))) = tiles.get_mut(tile) else { return };
    let children = linear.children.clone();
    if linear.dir == egui_tiles::LinearDir::Horizontal {
        children.into_iter().for_each(|child| lower(tiles, child, height, less));
        return;
    }
    let gaps = GAP_PT * children.len().saturating_sub(1) as f32;
    let mut heights = linear.shares.split(&children, height - gaps);
    let (Some(last), Some(own)) = (children.last(), heights.last_mut()) else { return };
    let was = *own;
    if was - less < LOWEST_PT {
        return;
    }
    *own -= less;
    for (child, height) in children.iter().zip(heights) {
        linear.shares.set_share(*child, height);
    }
    lower(tiles, *last, was, less);
}

/// Whether a layout holds each docked panel once and nothing else.
fn is_whole(tree: &Tree<PanelId>) -> bool {
    let mut panes: Vec<PanelId> =
        tree.tiles.tiles().filter_map(|tile| if let Tile::Pane(panel) = tile { Some(*panel) } else { None }).collect();
    panes.sort_unstable();
    let mut wanted: Vec<PanelId> = PANELS.iter().filter(|spec| spec.home != Home::Below).map(|spec| spec.id).collect();
    wanted.sort_unstable();
    panes == wanted && tree.root().is_some()
}

/// Where a list of tabs asks for one that is hidden.
fn tab_asked() -> egui::Id {
    egui::Id::unique("tab asked for")
}

struct Behaviour<'a, 'b> {
    panels: &'a mut BTreeMap<PanelId, Box<dyn Panel>>,
    hovered: &'a mut Option<PanelId>,
    view: &'a mut egui::Rect,
    places: &'a mut BTreeMap<PanelId, egui::Rect>,
    view_tile: Option<TileId>,
    /// The panel chosen by keys, and whether it was just now.
    chosen: Option<(PanelId, bool)>,
    /// The panel whose tab is to come into sight.
    revealed: Option<PanelId>,
    ctx: &'a mut PanelContext<'b>,
}

impl egui_tiles::Behavior<PanelId> for Behaviour<'_, '_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, _tile: TileId, pane: &mut PanelId) -> UiResponse {
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, 0.0, self.ctx.colours.panel);
        if ui.rect_contains_pointer(rect) {
            *self.hovered = Some(*pane);
        }
        self.places.insert(*pane, rect);
        if *pane == PanelId::Viewport && rect.width() >= NOTICE.x && rect.height() >= NOTICE.y {
            *self.view = rect;
        }
        let Some(panel) = self.panels.get_mut(pane) else { return UiResponse::None };
        let margin = if matches!(pane, PanelId::Viewport | PanelId::Graph) { 0.0 } else { 8.0 };
        let builder = egui::UiBuilder::new().id_salt(spec(*pane).title).max_rect(rect.shrink(margin));
        ui.scope_builder(builder, |ui| {
            ui.set_clip_rect(rect.intersect(ui.clip_rect()));
            let chosen = self.chosen.filter(|(chosen, _)| chosen == pane);
            if let Some((_, just)) = chosen {
                begin_chosen(ui, *pane, just);
            }
            panel.ui(ui, self.ctx);
            if chosen.is_some() {
                end_chosen(ui, rect, self.ctx);
            }
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &PanelId) -> egui::WidgetText {
        t(spec(*pane).title).into_owned().into()
    }

    fn on_tab_button(&mut self, tiles: &mut Tiles<PanelId>, tile: TileId, response: egui::Response) -> egui::Response {
        match tiles.get_pane(&tile) {
            Some(pane) => response.on_hover_text(t(&format!("{}_hint", spec(*pane).title)).into_owned()),
            None => response,
        }
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<PanelId>,
        ui: &mut egui::Ui,
        _tile: TileId,
        tabs: &egui_tiles::Tabs,
        scroll: &mut f32,
    ) {
        let panels: Vec<PanelId> = tabs.children.iter().filter_map(|tile| tiles.get_pane(tile).copied()).collect();
        if let Some(shown) = tabs.active.and_then(|tile| tiles.get_pane(&tile)) {
            super::about::button(ui, self.ctx, *shown);
        }
        let font = egui::TextStyle::Button.resolve(ui.style());
        let width_of = |panel: &PanelId| {
            let text = t(spec(*panel).title).into_owned();
            ui.painter().layout_no_wrap(text, font.clone(), egui::Color32::PLACEHOLDER).size().x + 2.0 * TAB_SPACING_PT
        };
        let widths: Vec<f32> = panels.iter().map(width_of).collect();
        if widths.iter().sum::<f32>() <= ui.available_width() {
            return;
        }
        // The tab comes into sight with some of the one before it.
        let start = |place: usize| (widths.iter().take(place).sum::<f32>() - 2.0 * TAB_SPACING_PT).max(0.0);
        if let Some(place) = panels.iter().position(|panel| Some(*panel) == self.revealed) {
            *scroll = start(place);
        }
        let label = t("panel.all_tabs");
        let icon = super::widgets::IconButton::new(super::icons::Icon::ChevronDown, &label);
        let button = icon.colour(self.ctx.colours.weak).show(ui);
        egui::Popup::menu(&button).show(|ui| {
            for panel in panels {
                let active = tabs.active.and_then(|tile| tiles.get_pane(&tile)) == Some(&panel);
                let row = ui.selectable_label(active, t(spec(panel).title).into_owned());
                if row.on_hover_text(t(&format!("{}_hint", spec(panel).title)).into_owned()).clicked() {
                    ui.data_mut(|data| data.insert_temp(tab_asked(), Some(panel)));
                    ui.close();
                }
            }
        });
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn is_tab_bar_visible(&self, _tile: TileId, tabs: &egui_tiles::Tabs) -> bool {
        // The 3D view alone needs no title: it takes the room.
        !(tabs.children.len() == 1 && tabs.children.first().copied() == self.view_tile)
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        24.0
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        GAP_PT
    }

    fn min_size(&self) -> f32 {
        80.0
    }

    fn tab_title_spacing(&self, _visuals: &egui::Visuals) -> f32 {
        TAB_SPACING_PT
    }

    fn tab_bar_color(&self, _visuals: &egui::Visuals) -> egui::Color32 {
        self.ctx.colours.ground
    }

    fn tab_bg_color(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &Tiles<PanelId>,
        _tile: TileId,
        state: &TabState,
    ) -> egui::Color32 {
        if state.active { self.ctx.colours.panel } else { egui::Color32::TRANSPARENT }
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &Tiles<PanelId>,
        _tile: TileId,
        _state: &TabState,
    ) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _visuals: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn tab_text_color(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &Tiles<PanelId>,
        _tile: TileId,
        state: &TabState,
    ) -> egui::Color32 {
        if state.active { self.ctx.colours.text } else { self.ctx.colours.weak }
    }

    fn drag_preview_stroke(&self, _visuals: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::new(1.0, self.ctx.colours.accent)
    }

    fn drag_preview_color(&self, _visuals: &egui::Visuals) -> egui::Color32 {
        self.ctx.colours.accent.gamma_multiply(0.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_tiles::{Container, LinearDir};

    /// How high a panel is in a tile of this height.
    fn height_of(tiles: &Tiles<PanelId>, tile: TileId, height: f32, panel: PanelId) -> Option<f32> {
        match tiles.get(tile)? {
            Tile::Pane(own) => (*own == panel).then_some(height),
            Tile::Container(Container::Linear(linear)) if linear.dir == LinearDir::Vertical => {
                let gaps = GAP_PT * (linear.children.len() - 1) as f32;
                let heights = linear.shares.split(&linear.children, height - gaps);
                linear.children.iter().zip(heights).find_map(|(child, own)| height_of(tiles, *child, own, panel))
            }
            Tile::Container(container) => {
                container.children().copied().find_map(|child| height_of(tiles, child, height, panel))
            }
        }
    }

    #[test]
    fn bars_of_the_timeline_take_no_room_from_the_view() {
        for workspace in Workspace::ALL {
            let mut tree = layout::of(workspace);
            let root = tree.root().unwrap();
            let view = |tree: &Tree<PanelId>, height| height_of(&tree.tiles, root, height, PanelId::Viewport).unwrap();
            let before = view(&tree, 590.0);
            lower(&mut tree.tiles, root, 590.0, 32.0);
            assert!((view(&tree, 558.0) - before).abs() < 1e-3, "{workspace:?}");
            // And back.
            lower(&mut tree.tiles, root, 558.0, -32.0);
            assert!((view(&tree, 590.0) - before).abs() < 1e-3, "{workspace:?}");
        }
    }

    #[test]
    fn panels_too_low_to_give_way_share_the_loss() {
        let mut tree = layout::of(Workspace::Pose);
        let root = tree.root().unwrap();
        let shares = |tree: &Tree<PanelId>| height_of(&tree.tiles, root, 200.0, PanelId::Viewport);
        let before = shares(&tree);
        lower(&mut tree.tiles, root, 200.0, 80.0);
        assert_eq!(shares(&tree), before);
    }
}

//! How the panels lie in each workspace at first: by their homes in the table of panels.

use super::panel::{Home, PANELS};
use crate::command::{PanelId, Workspace};
use egui_tiles::{Container, Linear, LinearDir, TileId, Tiles, Tree};

/// The first layout of a workspace: every panel of the table once, but for those that lie below all workspaces.
pub(super) fn of(workspace: Workspace) -> Tree<PanelId> {
    let mut place = Place(Tiles::default());
    let view = place.tabs(&[Home::View]);
    let lists = place.tabs(&[Home::Lists]);
    let root = match workspace {
        Workspace::Pose | Workspace::Shape => {
            let wide = place.tabs(&[Home::Wide, Home::Lab, Home::Blend]);
            let inspector = place.tabs(&[Home::Inspector, Home::Library]);
            let (under, aside, above) =
                if workspace == Workspace::Pose { (0.66, 0.78, 0.42) } else { (0.76, 0.7, 0.26) };
            let left = place.split(LinearDir::Vertical, [view, wide], under);
            let right = place.split(LinearDir::Vertical, [lists, inspector], above);
            place.split(LinearDir::Horizontal, [left, right], aside)
        }
        Workspace::Curves => {
            let wide = place.tabs(&[Home::Wide, Home::Lab, Home::Blend]);
            let inspector = place.tabs(&[Home::Inspector, Home::Library]);
            let side = place.split(LinearDir::Vertical, [view, inspector], 0.5);
            let side = place.split(LinearDir::Vertical, [side, lists], 0.74);
            place.split(LinearDir::Horizontal, [wide, side], 0.68)
        }
        Workspace::Blend => {
            let blend = place.tabs(&[Home::Blend]);
            // Below, where there is room for their pictures.
            let library = place.tabs(&[Home::Library, Home::Wide, Home::Lab]);
            let inspector = place.tabs(&[Home::Inspector]);
            let view = place.split(LinearDir::Horizontal, [view, blend], 0.44);
            let left = place.split(LinearDir::Vertical, [view, library], 0.62);
            let right = place.split(LinearDir::Vertical, [lists, inspector], 0.42);
            place.split(LinearDir::Horizontal, [left, right], 0.8)
        }
        Workspace::Lab => {
            let labs = place.tabs(&[Home::Lab, Home::Blend]);
            let wide = place.tabs(&[Home::Wide]);
            let inspector = place.tabs(&[Home::Inspector, Home::Library]);
            let left = place.split(LinearDir::Vertical, [labs, wide], 0.7);
            let right = place.split(LinearDir::Vertical, [inspector, lists], 0.7);
            let right = place.split(LinearDir::Vertical, [view, right], 0.45);
            place.split(LinearDir::Horizontal, [left, right], 0.64)
        }
    };
    Tree::new(egui::Id::unique(workspace.title()), root, place.0)
}

struct Place(Tiles<PanelId>);

impl Place {
    /// Tabs of all panels with these homes, home by home, each in the order of the table.
    fn tabs(&mut self, homes: &[Home]) -> TileId {
        let panels = homes.iter().flat_map(|home| PANELS.iter().filter(move |spec| spec.home == *home));
        let panes = panels.map(|spec| self.0.insert_pane(spec.id)).collect();
        self.0.insert_tab_tile(panes)
    }

    fn split(&mut self, dir: LinearDir, children: [TileId; 2], fraction: f32) -> TileId {
        self.0.insert_container(Container::Linear(Linear::new_binary(dir, children, fraction)))
    }
}
